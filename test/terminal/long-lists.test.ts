import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { makePrinter } from '../../src/terminal/output/printer.js';
import { makeStreams } from '../../src/terminal/output/streams.js';

const view = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
  ],
};
const count = 10_000;

/**
 * Prints that many rows to a sink that only counts, and watches how far the rows asked for run ahead of the text
 * that was taken: what lies between is all that the printer holds.
 */
async function printMany(format: keyof typeof linesPerRow) {
  const state = { asked: 0, lines: 0, furthestAhead: 0 };
  const sink = new Writable({
    write(chunk: Buffer, _encoding, done) {
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

const linesPerRow = { table: 1, json: 4 } as const;

test.each([
  ['table', count + 1],
  ['json', 4 * count + 2],
] as const)(
  'all of many rows are printed as %s, and never more than a chunk is in memory',
  async (format, lines) => {
    const state = await printMany(format);
    expect(state.lines).toBe(lines);
    expect(state.furthestAhead).toBeLessThan(5_000);
  },
);
