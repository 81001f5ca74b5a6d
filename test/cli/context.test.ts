import { expect, it } from 'vitest';
import { openContext } from '../../src/cli/context.js';
import { memorySystem } from '../support/memory-system.js';

it('reads the global options of a command line once, and not before they are asked for', async () => {
  let reads = 0;
  const context = openContext(memorySystem(), () => {
    reads += 1;
    return { output: 'json', quiet: true };
  });
  expect(reads).toBe(0);
  await context.printer();
  await context.progress({ label: 'working', total: 1 });
  expect([context.flags().output, (await context.settings().output()).value, reads]).toEqual([
    'json',
    'json',
    1,
  ]);
  await context.close();
});
