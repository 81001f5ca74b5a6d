import { defineConfig } from 'vitest/config';

/** The tests that test/mutants/run.ts holds one area of the sources against. */
export default defineConfig({
  test: {
    include: (process.env['ORGCTL_TEST_MUTANTS'] ?? 'test/signing/*.test.ts').split(' '),
    exclude: ['test/**/*-processes.test.ts', 'test/client/{proxy,tls}.test.ts'],
    provide: { engine: 'embedded' },
    isolate: false,
    testTimeout: 20_000,
  },
});
