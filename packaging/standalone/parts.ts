import { fileURLToPath } from 'node:url';

/** What the executable that has Node.js in it does in another way than the package. */
const parts = new Map([
  [source('storage/sqlite/libsql.ts'), source('storage/sqlite/node-sqlite.ts')],
  [source('server/console/page-files.ts'), source('server/console/page-files-embedded.ts')],
  [source('profiles/keyring/keyring-package.ts'), source('profiles/keyring/keyring-embedded.ts')],
]);

interface Resolver {
  resolve(
    specifier: string,
    importer: string | undefined,
    options: { skipSelf: true },
  ): Promise<{ readonly id: string } | null>;
}

/** Takes those parts in the place of the package's: a plugin of rolldown, and of Vitest for the tests of them. */
export function standaloneParts() {
  return {
    name: 'standalone-parts',
    enforce: 'pre' as const,
    async resolveId(this: Resolver, specifier: string, importer: string | undefined) {
      // Asked of everything else, resolving takes longer than the rest of the build.
      if (!/(?:libsql|keyring-package|page-files)\.js$/.test(specifier)) return null;
      const found = await this.resolve(specifier, importer, { skipSelf: true });
      return (found && parts.get(found.id)) ?? null;
    },
  };
}

function source(path: string): string {
  return fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
}
