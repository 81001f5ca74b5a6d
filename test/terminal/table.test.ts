import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import textWidth from 'string-width';
import { describe, expect, test } from 'vitest';
import { drawLine, drawTable } from '../../src/terminal/formats/draw-table.js';
import { type Cell, fitLayout } from '../../src/terminal/formats/table-layout.js';
import type { View } from '../../src/terminal/output/printer.js';
import { measureTexts } from '../../src/terminal/text/text-width.js';
import { type PrintOptions, print } from './print.js';

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
const columnOfNumbers = (line: string): number => textWidth(line.slice(0, line.lastIndexOf(' ') + 1));

async function measured(text: string) {
  const [first] = await measureTexts([{ text }]);
  if (first === undefined) throw new Error('a text is measured');
  return first.content;
}

async function cellOf(text: string, more: Partial<Cell> = {}): Promise<Cell> {
  return { content: await measured(text), align: 'left', paint: String, ...more };
}

describe('widths', () => {
  test.each([
    ['CJK', '東京データ', 10],
    ['emoji', '😀', 2],
    ['emoji of several', '👨‍👩‍👧', 2],
    ['flag', '🇩🇪', 2],
    ['combining', 'cafe\u0301', 4],
    ['Thai', 'หนังสือ', 5],
  ])('%s', async (_name, text, width) => {
    expect((await measured(text)).width).toBe(width);
    const printed = lines(await table({}, named(text, 'plain text')));
    expect(new Set(printed.map(columnOfNumbers))).toEqual(new Set(['plain text'.length + 2]));
  });

  test.each([
    ['abcdef', 4, 'abc…'],
    ['abcd', 4, 'abcd'],
    ['東京都', 4, '東…'],
    ['東京都', 5, '東京…'],
    ['ab👨‍👩‍👧cd', 4, 'ab…'],
    ['ab👨‍👩‍👧cd', 5, 'ab👨‍👩‍👧…'],
    ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
    ['ab', 1, '…'],
    ['ab', 0, ''],
  ])('%s in %i columns is %s', async (text, columns, expected) => {
    expect((await measured(text)).cut(columns).text).toBe(expected);
  });
});

describe('on a terminal', () => {
  test('no line is wider than the terminal, whatever the text', async () => {
    const names = fc.array(fc.string({ unit: 'grapheme', maxLength: 60 }), { minLength: 1, maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(names, fc.integer({ min: 1, max: 60 }), async (some, width) => {
        for (const line of lines(await table({ width }, named(...some)))) {
          expect(textWidth(line)).toBeLessThanOrEqual(width);
        }
      }),
      { numRuns: 60 },
    );
  });

  const layout = async (widths: readonly number[], limit: number) => {
    const cells = await Promise.all(widths.map((width) => cellOf('x'.repeat(width))));
    return fitLayout([cells], limit).widths;
  };
  test.each([
    ['all fit', [10, 20, 5], 39, [10, 20, 5]],
    ['the widest give way', [10, 20, 5], 35, [10, 16, 5]],
    ['to each other alike', [10, 20, 20], 48, [10, 17, 17]],
    ['the first one keeps its width while the others have sixteen columns', [30, 30, 30], 66, [30, 16, 16]],
    ['what finds no place with sixteen columns is left out', [30, 30, 30], 65, [30, 30]],
    ['the first one is cut last', [30, 30, 30], 31, [30]],
    ['and when nothing else is left', [30, 30, 30], 6, [6]],
    ['on the narrowest terminal', [20, 20], 1, [1]],
  ])('%s', async (_name, widths, limit, expected) => {
    expect(await layout(widths, limit)).toEqual(expected);
  });

  describe('IDs and numbers are never cut', () => {
    const columns = ['name', 'id', 'host', 'port'].map((value) => ({ header: value, value }));
    const keys: View<Readonly<Record<string, unknown>>> = { columns };
    const rows = Array.from({ length: 120 }, (_, at) => ({
      id: `conn_${'0'.repeat(15)}${at}`,
      name: 'a name that is long',
      host: 'db.example.com',
      port: at < 101 ? 5432 : 1234567890,
    }));

    test.each([
      [80, 'NAME,ID,HOST,PORT', ''],
      [50, 'NAME,ID,PORT', 'no room for HOST; all columns: -o wide\n'],
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
          if (width > 40 && at < 100) expect(textWidth(line)).toBeLessThanOrEqual(width);
        }
      }
    });

    test('nor in rows of a query, by the names of their fields', async () => {
      const found = { n: 12345, app: 'x'.repeat(30), key_id: 'y'.repeat(30) };
      const query = Object.assign(() => [found], { fields: new Set<string>() });
      const { stdout } = await print({ width: 40, query }, (printer) => printer.list([], keys));
      for (const whole of [found.n, found.key_id]) expect(stdout).toContain(String(whole));
    });
  });

  describe('the view ranks its columns', () => {
    const ranked: View<Readonly<Record<string, unknown>>> = {
      columns: [
        { header: 'flag', value: 'flag', rank: 3 },
        { header: 'id', value: 'id' },
        { header: 'name', value: 'name', rank: 1 },
        { header: 'port', value: 'port', rank: 2 },
        { header: 'host', value: 'host', rank: 4 },
      ],
    };
    const name = 'a name of twenty-six signs';
    const rows = [{ flag: 'yes', id: 'conn_40b46949', name, port: 5432, host: 'db.eu.example.com' }];

    test.each([
      [80, 'FLAG,ID,NAME,PORT,HOST', ''],
      [71, 'FLAG,ID,NAME,PORT,HOST', ''],
      [70, 'FLAG,ID,NAME,PORT', 'no room for HOST; all columns: -o wide\n'],
      [50, 'ID,NAME,PORT', 'no room for FLAG, HOST; all columns: -o wide\n'],
      [41, 'ID,NAME', 'no room for FLAG, PORT, HOST; all columns: -o wide\n'],
    ])('in %i columns the least important go, and the name is whole', async (width, header, note) => {
      for (const some of [rows, Array.from({ length: 120 }, () => rows[0] ?? {})]) {
        const { stdout, stderr } = await print({ width }, (printer) => printer.list(some, ranked));
        expect(lines(stdout)[0]?.split(/ +/).join(',')).toBe(header);
        for (const line of lines(stdout).slice(1)) expect(line).toContain(`conn_40b46949  ${name}`);
        expect(stderr).toBe(note);
        const wide = await print({ width, wide: true }, (printer) => printer.list(some, ranked));
        expect(wide).toEqual({ stdout: expect.stringContaining('db.eu.example.com'), stderr: '' });
      }
    });
  });

  test('prose wraps between words in place of being cut', async () => {
    const columns = [
      { header: 'name', value: 'name' },
      { header: 'detail', value: 'detail', wraps: true as const },
    ];
    const rows = [{ name: 'a', detail: 'one two three four' }];
    const { stdout } = await print({ width: 20 }, (printer) => printer.list(rows, { columns }));
    expect(stdout).toBe('NAME  DETAIL\na     one two three\n      four\n');
  });

  test('control characters are never raw, in a pipe neither', async () => {
    const hostile = named('\u001b]0;title\u0007\u202eabc\r\n');
    for (const options of [{}, { width: 200 }, { width: 200, color: true }]) {
      const text = await table(options, hostile);
      expect(text).toContain('\\u{1b}]0;title\\u{7}\\u{202e}abc\\r\\n');
      expect(stripVTControlCharacters(text)).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
    }
  });
});

test('colour: bold header, styled cells, and the same text', async () => {
  const rows = named('a', 'b', 'ccc');
  const colored = await table({ color: true }, rows);
  const [header, last] = ['\u001b[1mNAME\u001b[22m  \u001b[1mN\u001b[22m', '\u001b[31mccc\u001b[39m   2'];
  expect(colored).toBe(`${header}\na     0\nb     1\n${last}\n`);
  expect(stripVTControlCharacters(colored)).toBe(await table({}, rows));
});

describe('long lists', () => {
  const long = (...extra: Row[]): Row[] => [
    ...named(...Array.from({ length: 150 }, (_, i) => `row ${i}`)),
    ...extra,
  ];

  test('look as short ones do', async () => {
    const printed = lines(await table({}, long({ name: 'last', n: 150 })));
    expect(printed).toHaveLength(152);
    expect(printed.slice(0, 2)).toEqual(['NAME     N', 'row 0    0']);
    expect(printed.at(-1)).toBe('last    150');
  });

  test('a later, wider cell pushes its own line alone in a pipe', async () => {
    const printed = lines(await table({}, long({ name: 'wider than all', n: 1 }, { name: 'next', n: 2 })));
    expect(printed.slice(-2)).toEqual(['wider than all   1', 'next     2']);
  });

  test('on a terminal it is cut', async () => {
    const rows = long({ name: 'wider than all', n: 1 }, { name: 'next', n: 2 });
    const printed = lines(await table({ width: 15 }, rows));
    expect(printed.slice(-2)).toEqual(['wider…   1', 'next     2']);
  });
});

describe('what is drawn as a whole and what is drawn line by line', () => {
  const red = { paint: (text: string) => `\u001b[31m${text}\u001b[39m` };
  const right = { ...red, align: 'right' } as const;
  const looksTheSame = async (lines: readonly (readonly Cell[])[], limit?: number) => {
    const layout = fitLayout(lines, limit);
    expect(await drawTable(lines, layout)).toBe(lines.map((line) => drawLine(line, layout)).join(''));
  };

  test('look the same, whatever the text', async () => {
    const text = fc.oneof(
      fc.string({ unit: fc.constantFrom(...'ab cdé…█░東京한x😀🫠หั\u0301\u0300$&'), maxLength: 20 }),
      fc.string({ unit: 'grapheme', maxLength: 20 }),
    );
    const row = fc.tuple(text, text, text);
    const limit = fc.option(fc.integer({ min: 1, max: 50 }), { nil: undefined });
    await fc.assert(
      fc.asyncProperty(fc.array(row, { maxLength: 6 }), limit, async (rows, columns) => {
        const texts = [['A', 'B', 'C'] as const, ...rows];
        const lines = texts.map(([a, b, c]) =>
          Promise.all([cellOf(a, red), cellOf(b, right), cellOf(`${c}|`, red)]),
        );
        await looksTheSame(await Promise.all(lines), columns);
      }),
    );
  });
});
