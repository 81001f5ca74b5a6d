import fc from 'fast-check';
import textWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import type { View } from '../../src/terminal/output/printer.js';
import { type PrintOptions, print } from './support/print.js';

interface Row {
  readonly name: string;
  readonly n: number;
}
const view: View<Row> = {
  columns: [
    { header: 'name', value: 'name', style: (text, row, chalk) => (row.n > 1 ? chalk.red(text) : text) },
    { header: 'n', value: 'n', align: 'right' },
  ],
};

async function table(options: PrintOptions, rows: readonly Row[]): Promise<string> {
  return (await print(options, (printer) => printer.list(rows, view))).stdout;
}
const named = (...names: string[]): Row[] => names.map((name, n) => ({ name, n }));
const lines = (text: string): string[] => text.split('\n').slice(0, -1);

test('no line is wider than the terminal, and no character is split, whatever the text', async () => {
  const names = fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { minLength: 1, maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(names, fc.integer({ min: 8, max: 60 }), async (some, width) => {
      for (const line of lines(await table({ width }, named(...some)))) {
        expect(textWidth(line)).toBeLessThanOrEqual(width);
        expect(line).not.toMatch(/\p{Cs}/u);
      }
    }),
    { numRuns: 60 },
  );
});

test('rows that come later look like the first, whatever the text', async () => {
  const text = fc.oneof(
    fc.string({ unit: fc.constantFrom(...'ab cdé…█░東京한x😀🫠หั\u0301\u0300$&'), maxLength: 20 }),
    fc.string({ unit: 'grapheme', maxLength: 20 }),
  );
  const width = fc.option(fc.integer({ min: 8, max: 50 }), { nil: undefined });
  await fc.assert(
    fc.asyncProperty(fc.array(text, { minLength: 1, maxLength: 6 }), width, async (names, columns) => {
      const rows = named(...names);
      async function* twice() {
        yield rows;
        yield rows;
      }
      const options = { color: true, headers: false, ...(columns !== undefined && { width: columns }) };
      const { stdout } = await print(options, (printer) => printer.follow(twice(), view));
      const printed = lines(stdout);
      expect(printed.slice(rows.length)).toEqual(printed.slice(0, rows.length));
    }),
  );
});

describe('IDs and numbers are never cut', () => {
  const columns = ['name', 'id', 'host', 'port'].map((value) => ({ header: value, value }));
  const keys: View<Readonly<Record<string, unknown>>> = { columns };
  const rows = Array.from({ length: 1020 }, (_, at) => ({
    id: `conn_${'0'.repeat(15)}${at}`,
    name: 'a name that is long',
    host: 'db.example.com',
    port: at < 1001 ? 5432 : 1234567890,
  }));

  test.each([
    [80, 'NAME,ID,HOST,PORT', ''],
    [52, 'NAME,ID,PORT', 'no room for HOST; all columns: -o wide\n'],
    [36, 'NAME,ID', 'no room for HOST, PORT; all columns: -o wide\n'],
    [8, 'NAME,ID', 'no room for HOST, PORT'],
  ])('%i columns', async (width, header, note) => {
    for (const some of [rows.slice(0, 3), rows]) {
      const { stdout, stderr } = await print({ width }, (printer) => printer.list(some, keys));
      const [first = '', ...printed] = lines(stdout);
      expect(first.split(/ +/).join(',')).toBe(header);
      expect(stderr).toContain(note);
      for (const [at, line] of printed.entries()) {
        expect(line).toContain(some[at]?.id);
        if (header.endsWith('PORT')) expect(line).toContain(` ${some[at]?.port}`);
      }
    }
  });
});
