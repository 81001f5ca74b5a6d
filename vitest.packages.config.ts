import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

/**
 * What is installed without npm, as it is after `npm run build:standalone` and `npm run build:deb`: the tests of the built
 * tool on the executable, and the ways to install each package.
 */
export default defineConfig({
  test: {
    include: [
      'test/packaging/*.test.ts',
      'test/e2e/*.test.ts',
      'test/commands/{completion-shells,command-line-process}.test.ts',
    ],
    globalSetup: 'test/support/temporary-files.ts',
    provide: { engine: 'embedded' },
    env: { ORGCTL_TEST_EXECUTABLE: join(import.meta.dirname, 'dist-standalone', 'orgctl') },
    maxWorkers: 2,
    testTimeout: 120_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
