import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Vitest would take one worker on two cores, where most tests wait for a socket or a child.
    maxWorkers: 2,
    // Bounds against a hang, not measures: machines that share their cores are slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    expect: { poll: { timeout: 30_000 } },
  },
});
