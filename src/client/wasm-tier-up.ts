import { versions } from 'node:process';
import { setFlagsFromString } from 'node:v8';

/** What V8 itself begins with. */
export const defaultBudget = 1_800_000;
const unreachableBudget = 2_000_000_000;
const stalls = Number(versions.v8.split('.')[0]) < 12;
/** A command of more requests than this lives long enough to gain from the compilation, and none waits for it at exit. */
const fewRequests = 20;
let requests = 0;
let holders = 0;

/**
 * undici's parser is WebAssembly. On V8 11.3 (Node 20) its hot functions are handed to the optimising compiler during
 * the very first answer, and the process then waits at exit for that compilation: 70 ms and 36 MiB for nothing. So the
 * budget is raised while the first headers are awaited, and put back before the answer's body. Later lines of Node do
 * not stall, and are left alone.
 *
 * @returns puts the budget back; calling it again does nothing
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
