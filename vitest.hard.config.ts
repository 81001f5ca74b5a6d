import { defineConfig } from 'vitest/config';

/** Attacks that take longer than a test may: kills, damaged files, full disks, overload. docs/reliability.md tells of them. */
export default defineConfig({
  test: {
    include: ['test/hard/**/*.test.ts'],
    globalSetup: 'test/support/temporary-files.ts',
    provide: { engine: 'embedded' },
    // One at a time: what is measured in here is memory and CPU.
    maxWorkers: 1,
    fileParallelism: false,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
