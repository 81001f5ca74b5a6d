import { readFileSync, writeFileSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';

const {
  descriptions: describe,
  describedPages,
  plainKinds,
} = await tsImport('./descriptions.ts', import.meta.url);
const { namePages } = await tsImport('./man-page.ts', import.meta.url);
const descriptions = await describe();

/** The API's document as short as it gets. */
export const apiDocument = inOneLine('openapi.json');

/** The kinds of resource that the console has no view of its own for, in the place of what makes them from schemas. */
export function madeKinds() {
  const text = JSON.stringify(JSON.stringify(plainKinds()));
  return {
    name: 'made-kinds',
    load: (id) =>
      /[\\/]src[\\/]api[\\/]resources[\\/]plain-kinds\.ts$/.test(id)
        ? `export const plainKinds = () => JSON.parse(${text});`
        : undefined,
  };
}

/** Puts into `dist` what is made from the sources: the API's document, the manual, the map of all commands. */
export function withDescriptions() {
  return {
    name: 'with-descriptions',
    generateBundle() {
      for (const [fileName, source] of Object.entries(descriptions)) {
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
    async writeBundle() {
      nameManPages();
      await writeReferencePages();
    },
  };
}

/** Brings `man` of package.json up to date, before `npm pack` puts it into the package. */
function nameManPages() {
  const manifest = new URL('../package.json', import.meta.url);
  const before = readFileSync(manifest, 'utf8');
  const pages = Object.keys(descriptions).filter((name) => name.startsWith('man/'));
  const after = namePages(before, pages);
  if (after !== before) writeFileSync(manifest, after);
}

/** Brings the generated parts of docs/reference up to date. */
async function writeReferencePages() {
  for (const [name, after] of Object.entries(await describedPages())) {
    const page = new URL(`../docs/reference/${name}`, import.meta.url);
    if (readFileSync(page, 'utf8') !== after) writeFileSync(page, after);
  }
}

/** Documents that commands print, and what makes each. */
const documents = [
  { file: 'openapi.json', module: /[\\/]src[\\/]api-description[\\/]document\.ts$/, name: 'apiDocument' },
  {
    file: 'organization.schema.json',
    module: /[\\/]src[\\/]organization[\\/]declaration[\\/]json-schema\.ts$/,
    name: 'organizationJsonSchema',
  },
];

/** The documents as they are published, in the place of what makes them: the command line prints them without any schema. */
export function madeDocuments() {
  return documents.map(({ file, module, name }) => {
    const text = inOneLine(file);
    return {
      name: `made-${file}`,
      load: (id) =>
        module.test(id) ? `export const ${name} = () => JSON.parse(${JSON.stringify(text)});` : undefined,
    };
  });
}

function inOneLine(file) {
  return JSON.stringify(JSON.parse(descriptions[file]));
}
