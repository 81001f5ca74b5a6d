import { versions } from 'node:process';
import { setFlagsFromString } from 'node:v8';

/** V8's own initial value. */
export const defaultBudget = 1_800_000;
const unreachableBudget = 2_000_000_000;
const stalls = Number(versions.v8.split('.')[0]) < 12;
/** Commands with more requests gain from the compilation, and do not wait for it at exit. */
const fewRequests = 20;
let requests = 0;
let holders = 0;

/**
 * V8 11.3 (Node 20) starts optimising undici's WebAssembly parser during the first response, and the process waits for
 * it at exit, for 70 ms. Raises the budget until the first headers arrive. Later versions do not stall.
 * @returns restores the budget; repeated calls do nothing
 */
export function holdWasmTierUp(): () => void {
  if (!stalls || ++requests > fewRequests) return () => undefined;
  if (holders++ === 0) setBudget(unreachableBudget);
  let held = true;
  return () => {
    if (!held) return;
    held = false;
    if (--holders === 0) setBudget(defaultBudget);
  };
}

function setBudget(budget: number): void {
  setFlagsFromString(`--wasm-tiering-budget=${budget}`);
}
