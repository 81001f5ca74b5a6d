import { versions } from 'node:process';
import { setFlagsFromString } from 'node:v8';

/** V8's default for `--wasm-tiering-budget`. */
export const defaultBudget = 1_800_000;
const unreachableBudget = 2_000_000_000;
const stalls = Number(versions.v8.split('.')[0]) < 12;
/** Processes with more requests gain from the compilation. */
const fewRequests = 20;
let requests = 0;
let holders = 0;

/**
 * V8 11.3 (Node.js 20) starts to optimize undici's WebAssembly parser during the first response, and the process waits
 * for that at exit. Delays the optimization until the headers of all pending responses have arrived.
 * @returns a function that ends this request's hold; repeated calls do nothing
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
