import { defineConfig } from 'vitest/config';
import { endStayingWorker, stayingWorkers } from './staying-worker.js';

/** The tests that test/mutants/run.ts holds one area of the sources against. */
export default defineConfig({
  plugins: [
    {
      name: 'staying-workers',
      // Stryker's runner asks for threads, whatever stands here as `pool`.
      configureVitest({ project, vitest }) {
        vitest.onClose(endStayingWorker);
        Object.assign(project.config, { pool: stayingWorkers.name, poolRunner: stayingWorkers });
      },
    },
  ],
  test: {
    include: (process.env['ORGCTL_TEST_MUTANTS'] ?? 'test/signing/*.test.ts').split(' '),
    exclude: ['test/{client,profiles,server}/*-{process,processes}.test.ts'],
    globalSetup: 'test/support/temporary-files.ts',
    provide: { engine: 'embedded' },
    setupFiles: ['test/mutants/setup.ts'],
    isolate: false,
    // What lies within node_modules is loaded once; this says anew for each run which mutant is on.
    server: { deps: { inline: [/stryker-setup/] } },
    // A machine that is busy is not to be taken for a test that noticed.
    testTimeout: 30_000,
    hookTimeout: 30_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
