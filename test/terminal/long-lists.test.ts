import { Writable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import type { OutputFormat } from '../../src/api/option-values.js';
import { makePrinter, type View } from '../../src/terminal/output/printer.js';
import { makeStreams } from '../../src/terminal/output/streams.js';

interface Row {
  readonly id: string;
  readonly name: string;
}
const view: View<Row> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
  ],
};
const count = 20_000;

/**
 * Prints that many rows to a sink that only counts, and watches how far the rows asked for run ahead of the text
 * that was taken: what lies between is all that the printer holds.
 */
async function printMany(format: OutputFormat) {
  const state = { asked: 0, lines: 0, bytes: 0, largestWrite: 0, furthestAhead: 0 };
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      state.bytes += chunk.length;
      state.largestWrite = Math.max(state.largestWrite, chunk.length);
      for (const byte of chunk) if (byte === 10) state.lines++;
      setImmediate(done);
    },
  });
  async function* rows() {
    for (; state.asked < count; state.asked++) {
      state.furthestAhead = Math.max(state.furthestAhead, state.asked - state.lines / linesPerRow[format]);
      yield { id: `conn_${state.asked}`, name: 'a name of usual length' };
    }
  }
  const streams = makeStreams({ stdout: sink, stderr: sink });
  await makePrinter({ streams, format, color: false, quiet: false }).list(rows(), view);
  return state;
}

const linesPerRow: Readonly<Record<OutputFormat, number>> = { table: 1, json: 4, jsonl: 1, yaml: 2, csv: 1 };

describe(`${count} rows`, () => {
  test.each<[OutputFormat, number]>([
    ['table', count + 1],
    ['json', 4 * count + 2],
    ['jsonl', count],
    ['csv', count + 1],
  ])('as %s: all of them, and never more than a chunk in memory', async (format, lines) => {
    const state = await printMany(format);
    expect(state.lines).toBe(lines);
    expect(state.largestWrite).toBeLessThan(80_000);
    expect(state.furthestAhead).toBeLessThan(5_000);
  });
});

test('one JSON document is the same whether it is streamed or not', async () => {
  const rows = Array.from({ length: 3 }, (_, n) => ({
    id: `${n}`,
    name: 'a\n"b"',
    nested: { list: [1, {}], empty: [] },
  }));
  let text = '';
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  const streams = makeStreams({ stdout: sink, stderr: sink });
  await makePrinter({ streams, format: 'json', color: false, quiet: false }).list(rows, view);
  expect(text).toBe(`${JSON.stringify(rows, null, 2)}\n`);
});
