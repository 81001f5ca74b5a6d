import { syncBuiltinESMExports } from 'node:module';
import v8 from 'node:v8';
import { expect, it, onTestFinished, vi } from 'vitest';
import { decodeAny } from '../../../src/client/answers/decode.js';
import { readJson } from '../../../src/client/exchange/json-body.js';

const answer = { called: { method: 'GET', target: '/x' }, status: 200, headers: {} };

/** Has V8 say for this test that so many bytes of its heap are free. */
function leaveRoom(bytes: number): void {
  const used = 50_000_000;
  const said = { ...v8.getHeapStatistics(), used_heap_size: used, heap_size_limit: used + bytes };
  const spied = vi.spyOn(v8, 'getHeapStatistics').mockReturnValue(said);
  syncBuiltinESMExports();
  onTestFinished(() => {
    spied.mockRestore();
    syncBuiltinESMExports();
  });
}

// V8 ends a process whose heap is full. What values take was measured; test/hard has processes with a small heap.
it.each([
  ['text', `"${'text '.repeat(20_000)}"`, 2, 6],
  ['text outside ASCII', `"${'täxt '.repeat(20_000)}"`, 6, 12],
  ['objects', `[${'{},'.repeat(30_000)}{}]`, 20, 75],
])('reads no more %s than there is memory for', (_what, text, tooFew, enough) => {
  const body = Buffer.from(text);
  leaveRoom(body.length * tooFew);
  expect(readJson(body)).toEqual({
    fault: 'larger than this process has memory for',
    isBeyondMemory: true,
  });
  expect(() => decodeAny({ ...answer, body })).toThrow(
    'GET /x returned 200 with a body that is larger than this process has memory for: ',
  );
  leaveRoom(body.length * enough);
  expect(readJson(body)).toEqual({ value: JSON.parse(text) });
  expect(decodeAny({ ...answer, body })).toEqual(JSON.parse(text));
});

it('takes an answer of unknown shape that is no JSON for no value', () => {
  expect(decodeAny({ ...answer, body: Buffer.from('{') })).toBeUndefined();
});
