import { versions } from 'node:process';
import { setFlagsFromString } from 'node:v8';

/** V8's own initial value. */
export const defaultBudget = 1_800_000;
const unreachableBudget = 2_000_000_000;
const stalls = Number(versions.v8.split('.')[0]) < 12;
/**
 * With more requests than this, a command lives long enough to gain from the compilation, and does not wait for it at
 * exit.
 */
const fewRequests = 20;
let requests = 0;
let holders = 0;

/**
 * undici's parser is WebAssembly. V8 11.3 (Node 20) starts to optimise its hot functions during the very first answer,
 * and the process then waits for that compilation at exit: 70 ms and 36 MiB for nothing. So the budget is raised while
 * the first headers are awaited, and restored before the answer's body. Later Node versions do not stall, and are left
 * alone.
 *
 * @returns restores the budget; further calls do nothing
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
