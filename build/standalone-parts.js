import { fileURLToPath } from 'node:url';

/** What the executable that has Node.js in it does in another way than the package. */
const parts = new Map([['storage/sqlite/libsql.ts', 'storage/sqlite/node-sqlite.ts']].map((pair) => pair.map(source)));

/** Takes those parts in the place of the package's: a plugin of rolldown, and of Vitest for the tests of them. */
export function standaloneParts() {
  return {
    name: 'standalone-parts',
    enforce: 'pre',
    async resolveId(specifier, importer, options) {
      const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
      const part = found && parts.get(found.id);
      return part === undefined ? found : { ...found, id: part };
    },
  };
}

function source(path) {
  return fileURLToPath(new URL(`../src/${path}`, import.meta.url));
}
