import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // Vitest would take one worker on two cores, where most tests wait for a socket or a child.
    maxWorkers: 2,
  },
});
