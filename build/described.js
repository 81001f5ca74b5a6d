import { tsImport } from 'tsx/esm/api';

const { descriptions: describe } = await tsImport('./descriptions.ts', import.meta.url);
const descriptions = await describe();

/** Puts into `dist` what is made from the sources: the API's document, the manual, the map of all commands. */
export function withDescriptions() {
  return {
    name: 'with-descriptions',
    generateBundle() {
      for (const [fileName, source] of Object.entries(descriptions)) {
        this.emitFile({ type: 'asset', fileName, source });
      }
    },
  };
}

/** The API's document as it is published, in the place of what makes it: the command line prints it without any schema. */
export function madeApiDocument() {
  const text = JSON.stringify(JSON.parse(descriptions['openapi.json']));
  return {
    name: 'made-api-document',
    load: (id) =>
      /[\\/]src[\\/]api-description[\\/]document\.ts$/.test(id)
        ? `export const apiDocument = () => JSON.parse(${JSON.stringify(text)});`
        : undefined,
  };
}
