import { defineConfig } from 'vitest/config';

/** Attacks that take longer than a test may: kills, damaged files, full disks, overload. docs/operations/reliability.md tells of them. */
export default defineConfig({
  test: {
    include: ['test/hard/**/*.test.ts'],
    globalSetup: 'test/support/temporary-files.ts',
    provide: { engine: 'embedded' },
    // One at a time, for the machine is to be under one attack; CI's short form has not the time.
    maxWorkers: process.env['ORGCTL_TEST_HARD'] === 'short' ? 2 : 1,
    testTimeout: 600_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
