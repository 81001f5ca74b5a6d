import { defineConfig } from 'vitest/config';

/**
 * What can be asked after each change: on the embedded database, and without what starts processes again and again, tries
 * very many inputs, or waits for limits and clocks. `npm test` has all of it.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/{build,console,e2e,files,hard,libraries,packaging,postgres}/**',
      'test/**/*{-process,-processes,-shells}.test.ts',
      'test/support/without-postgres.test.ts',
      'test/server/{any-request,durability,rotate-master-key,limits,fuzz}.test.ts',
      'test/terminal/{pipes,long-lists,text-width}.test.ts',
      'test/commands/{organization-property,pages,plain-yaml,serve-backup,serve-rotate-master-key,sign-curl}.test.ts',
      'test/server/{any-sequence,backup,close,overload,ownership}.test.ts',
      'test/{client/trusted-roots,code-cache/build,redaction/linear,signing/mistaken-clients}.test.ts',
    ],
    globalSetup: 'test/support/temporary-files.ts',
    provide: { engine: 'embedded' },
    isolate: false,
    // What is transformed is kept from one run to the next, by its content.
    experimental: { fsModuleCache: true },
    // More than cores: most tests wait for a socket a third of their time.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
