import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';
import { expect, it, onTestFinished, vi } from 'vitest';
import { withSmallHeap } from '../../../src/verbs/serve/small-heap.js';

/** Flags as they are set, by name. */
function watchFlags(): Map<string, string> {
  const flags = new Map<string, string>();
  const spied = vi.spyOn(v8, 'setFlagsFromString').mockImplementation((flag) => {
    const [, no = '', name = '', value = `${no === ''}`] = /^--(no-)?([\w-]+)(?:=(.*))?$/.exec(flag) ?? [];
    flags.set(name, value);
  });
  syncBuiltinESMExports();
  onTestFinished(() => {
    spied.mockRestore();
    syncBuiltinESMExports();
  });
  return flags;
}

it('leaves WebAssembly unoptimized while a server runs, and restores each default of V8 after that', async () => {
  const flags = watchFlags();
  const serving = await withSmallHeap(async () => Object.fromEntries(flags), 30);
  expect(serving).toMatchObject({
    'heap-growing-percent': '30',
    'wasm-tier-up': 'false',
    'wasm-dynamic-tiering': 'false',
  });
  expect(Object.fromEntries(flags)).toEqual({
    'semi-space-growth-factor': '2',
    'heap-growing-percent': '0',
    'wasm-tier-up': 'true',
    'wasm-dynamic-tiering': 'true',
  });
  expect(Object.keys(serving)).toEqual([...flags.keys()]);
});
