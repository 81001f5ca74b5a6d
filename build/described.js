import { readFileSync, writeFileSync } from 'node:fs';
import { tsImport } from 'tsx/esm/api';

const {
  descriptions: describe,
  describedPages,
  plainKinds,
} = await tsImport('./descriptions.ts', import.meta.url);
const { namePages } = await tsImport('./man-page.ts', import.meta.url);
const descriptions = await describe();

/** The OpenAPI document on one line. */
export const apiDocument = inOneLine('openapi.json');

/** Replaces code that derives the console's plain kinds from schemas with its result. */
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

/** Writes generated files to `dist` (`descriptions`), and updates package.json and docs/reference. */
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

/** Updates `man` in package.json before `npm pack` reads it. */
function nameManPages() {
  const manifest = new URL('../package.json', import.meta.url);
  const before = readFileSync(manifest, 'utf8');
  const pages = Object.keys(descriptions).filter((name) => name.startsWith('man/'));
  const after = namePages(before, pages);
  if (after !== before) writeFileSync(manifest, after);
}

/** Updates the generated parts of docs/reference. */
async function writeReferencePages() {
  for (const [name, after] of Object.entries(await describedPages())) {
    const page = new URL(`../docs/reference/${name}`, import.meta.url);
    if (readFileSync(page, 'utf8') !== after) writeFileSync(page, after);
  }
}

/** Documents that commands print, and the module and function that make each of them. */
const documents = [
  { file: 'openapi.json', module: /[\\/]src[\\/]api-description[\\/]document\.ts$/, name: 'apiDocument' },
  {
    file: 'organization.schema.json',
    module: /[\\/]src[\\/]organization[\\/]declaration[\\/]json-schema\.ts$/,
    name: 'organizationJsonSchema',
  },
];

/** Replaces code that makes documents with its result, so that the command line prints them without loading schemas. */
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
