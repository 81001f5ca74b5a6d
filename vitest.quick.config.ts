import { defineConfig } from 'vitest/config';

/**
 * What can be asked after each change: on the embedded database, and without what starts processes again and again. `npm
 * test` has all of it.
 */
export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    exclude: [
      'test/{build,console,e2e,files,hard,packaging,postgres}/**',
      'test/**/*{-process,-processes,-shells}.test.ts',
      'test/support/without-postgres.test.ts',
      'test/server/{any-request,durability,rotate-master-key,limits,fuzz}.test.ts',
      'test/terminal/pipes.test.ts',
    ],
    globalSetup: 'test/support/temporary-files.ts',
    provide: { engine: 'embedded' },
    isolate: false,
    maxWorkers: 2,
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
