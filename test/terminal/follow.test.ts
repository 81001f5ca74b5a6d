import { describe, expect, test } from 'vitest';
import { openPrinter, print } from './print.js';

interface Row {
  readonly kind: string;
  readonly used: number;
}

const view = {
  columns: [
    { header: 'KIND', value: 'kind' },
    { header: 'USED', value: (row: Row) => `<${row.used}>`, data: ({ used }: Row) => used },
  ],
};

const row = (kind: string, used: number): Row => ({ kind, used });

async function* changes(): AsyncGenerator<readonly Row[]> {
  yield [row('a', 1), row('long', 2)];
  yield [];
  yield [row('longer', 3)];
}

describe('rows that go on appearing', () => {
  test.each([
    ['table', 'KIND  USED\na     <1>\nlong  <2>\nlonger  <3>\n'],
    ['csv', 'kind,used\na,1\nlong,2\nlonger,3\n'],
    ['jsonl', '{"kind":"a","used":1}\n{"kind":"long","used":2}\n{"kind":"longer","used":3}\n'],
    ['yaml', '- kind: a\n  used: 1\n- kind: long\n  used: 2\n- kind: longer\n  used: 3\n'],
  ] as const)('as %s', async (format, expected) => {
    expect((await print({ format }, (printer) => printer.follow(changes(), view))).stdout).toBe(expected);
  });

  test('a query is applied to each', async () => {
    const last = (row: unknown) => Object.entries(row ?? {}).at(-1)?.[1];
    const query = Object.assign(last, { fields: new Set<string>() });
    const printed = await print({ format: 'json', query }, (printer) => printer.follow(changes(), view));
    expect(printed.stdout).toBe('1\n2\n3\n');
  });

  test.each(['table', 'json'] as const)('are out before the next batch: %s', async (format) => {
    const { system, printer } = openPrinter({ format });
    const seen: string[] = [];
    async function* slow() {
      for (const used of [1, 2]) {
        yield [{ kind: 'a', used }];
        // What is pending goes out when the event loop has nothing else to do: in its next two rounds.
        await new Promise(setImmediate);
        await new Promise(setImmediate);
        seen.push(system.stdoutText());
      }
    }
    await printer.follow(slow(), view);
    expect(seen[0]).toContain('1');
    expect(seen[0]).not.toContain('2');
    expect(seen[1]).toContain('2');
  });

  test('the source is closed when the reader has left at its first batch', async () => {
    const { system, printer } = openPrinter({ format: 'jsonl' });
    system.closeStdout();
    let closed = false;
    async function* endless() {
      try {
        for (;;) yield Array.from({ length: 70_000 }, () => ({ kind: 'a', used: 1 }));
      } finally {
        closed = true;
      }
    }
    await printer.follow(endless(), view);
    expect(closed).toBe(true);
  });
});
