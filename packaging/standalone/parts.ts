import { fileURLToPath } from 'node:url';

/** Modules of the npm package, and the modules that replace them in the executable. */
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

/** A plugin that replaces these modules: for rolldown, and for Vitest to test the replacements. */
export function standaloneParts() {
  return {
    name: 'standalone-parts',
    enforce: 'pre' as const,
    async resolveId(this: Resolver, specifier: string, importer: string | undefined) {
      // Resolving all other modules here would take longer than the rest of the build.
      if (!/(?:libsql|keyring-package|page-files)\.js$/.test(specifier)) return null;
      const found = await this.resolve(specifier, importer, { skipSelf: true });
      return (found && parts.get(found.id)) ?? null;
    },
  };
}

function source(path: string): string {
  return fileURLToPath(new URL(`../../src/${path}`, import.meta.url));
}
