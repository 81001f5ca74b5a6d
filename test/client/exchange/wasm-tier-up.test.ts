import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';
import { expect, it, onTestFinished, vi } from 'vitest';
import type * as wasmTierUp from '../../../src/client/exchange/wasm-tier-up.js';

const stalls = Number(process.versions.v8.split('.')[0]) < 12;

/** The module as it is when a process begins, and the budgets that it sets. */
async function begin() {
  const budgets: number[] = [];
  const spied = vi.spyOn(v8, 'setFlagsFromString').mockImplementation((flag) => {
    const [name, value] = flag.split('=');
    if (name === '--wasm-tiering-budget') budgets.push(Number(value));
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spied.mockRestore();
    syncBuiltinESMExports();
  });
  const path = `../../../src/client/exchange/wasm-tier-up.ts?begin=${process.hrtime.bigint()}`;
  const { holdWasmTierUp, defaultBudget }: typeof wasmTierUp = await import(path);
  return { hold: holdWasmTierUp, budgets, defaultBudget };
}

it.runIf(stalls)(
  'raises the budget of V8 while any headers are awaited, and restores it after that',
  async () => {
    const { hold, budgets, defaultBudget } = await begin();
    const first = hold();
    expect(budgets).toEqual([expect.any(Number)]);
    expect(budgets[0]).toBeGreaterThan(100 * defaultBudget);
    const second = hold();
    first();
    first();
    expect(budgets).toHaveLength(1);
    second();
    expect(budgets.slice(1)).toEqual([defaultBudget]);
    hold()();
    expect(budgets).toHaveLength(4);
  },
);

it.skipIf(stalls)('leaves V8 alone where it does not stall', async () => {
  const { hold, budgets } = await begin();
  hold()();
  expect(budgets).toEqual([]);
});
