import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import type { OutputFormat } from '../../src/api/option-values.js';
import type { View } from '../../src/terminal/output/printer.js';
import { anyText } from '../support/any-text.js';
import { type PrintOptions, print } from './print.js';

interface Row {
  readonly id: string;
  readonly name?: string | null;
  readonly config?: unknown;
}

const view: View<Row> = {
  columns: [
    { header: 'Id', value: 'id' },
    { header: 'Name', value: 'name' },
    { header: 'Port', value: 'config.port', align: 'right' },
    { header: 'Length', value: (row) => row.id.length },
  ],
  empty: 'no rows',
};
const rows: readonly Row[] = [
  { id: 'a', name: 'one, "two"', config: { port: 5432 } },
  { id: 'bb', name: null },
];
const table = 'ID  NAME        PORT  LENGTH\na   one, "two"  5432  1\nbb  -              -  2\n';
const csv = 'id,name,config.port,length\na,"one, ""two""",5432,1\nbb,,,2\n';

const list = (options: PrintOptions, items: readonly Row[] = rows) =>
  print(options, (printer) => printer.list(items, view));
const value = (options: PrintOptions, item: unknown, items: readonly Row[] = rows) =>
  print(options, (printer) => printer.value(item, items, view));

const lists: readonly [OutputFormat, string][] = [
  ['table', table],
  ['json', `${JSON.stringify(rows, null, 2)}\n`],
  ['jsonl', rows.map((row) => `${JSON.stringify(row)}\n`).join('')],
  ['yaml', '- id: a\n  name: one, "two"\n  config:\n    port: 5432\n- id: bb\n  name: null\n'],
  ['csv', csv],
];
test.each(lists)('a list as %s, there or arriving', async (format, text) => {
  expect(await list({ format })).toEqual({ stdout: text, stderr: '' });
  async function* arriving() {
    for (const row of rows) yield await new Promise<Row>((resolve) => setImmediate(resolve, row));
  }
  const { stdout } = await print({ format }, (printer) => printer.list(arriving(), view));
  expect(stdout).toBe(text);
});

const emptyLists: readonly [OutputFormat, string, string][] = [
  ['table', '', 'no rows\n'],
  ['json', '[]\n', ''],
  ['jsonl', '', ''],
  ['yaml', '[]\n', ''],
  ['csv', 'id,name,config.port,length\n', ''],
];
test.each(emptyLists)('an empty list as %s', async (format, stdout, stderr) => {
  expect(await list({ format }, [])).toEqual({ stdout, stderr });
});

const record = { connections: { limit: 10, used: 2 } };
const values: readonly [OutputFormat, string][] = [
  ['table', table],
  ['json', `${JSON.stringify(record, null, 2)}\n`],
  ['jsonl', '{"connections":{"limit":10,"used":2}}\n'],
  ['yaml', 'connections:\n  limit: 10\n  used: 2\n'],
  ['csv', csv],
];
test.each(values)('one value as %s', async (format, text) => {
  expect(await value({ format }, record)).toEqual({ stdout: text, stderr: '' });
});

describe('one value', () => {
  test('an array as jsonl has a line for each item', async () => {
    expect((await value({ format: 'jsonl' }, [1, { a: null }])).stdout).toBe('1\n{"a":null}\n');
  });

  test.each<OutputFormat>(['json', 'jsonl', 'yaml'])('an absent value as %s is null', async (format) => {
    expect((await value({ format }, undefined)).stdout).toBe('null\n');
  });
});

test.each<OutputFormat>(['json', 'jsonl', 'yaml'])('%s says again what it was given', async (format) => {
  const read = (text: string): unknown => {
    if (format === 'yaml') return parse(text);
    return format === 'json' ? JSON.parse(text) : JSON.parse(`[${text.trim().split('\n').join(',')}]`);
  };
  // Without -0, which JSON writes as 0 and YAML as it is.
  const some = fc
    .jsonValue({ stringUnit: 'binary' })
    .map((item): unknown => JSON.parse(JSON.stringify(item)));
  const anything = fc.array(fc.dictionary(anyText(), some), { maxLength: 3 });
  await fc.assert(
    fc.asyncProperty(anything, fc.boolean(), async (items, onTerminal) => {
      const plain: unknown = JSON.parse(JSON.stringify(items));
      const { stdout } = await print({ format, ...(onTerminal && { width: 80 }) }, (printer) =>
        printer.list(items, { columns: [] }),
      );
      expect(stdout === '' ? [] : read(stdout)).toEqual(plain);
      if (onTerminal) expect(stdout).not.toMatch(/[^\P{Cc}\n]|\p{Bidi_Control}/u);
      else expect(stdout).not.toContain('\\u202e');
    }),
    {
      numRuns: 25,
      examples: [
        [[{ 'k\u202e': 'v\u001b[2J\u009b\n' }], true],
        [[{ 'k\u202e': 'a' }], false],
      ],
    },
  );
});

describe('YAML', () => {
  test('words that YAML 1.1 takes for something else are quoted', async () => {
    const words = { a: 'no', b: '2026-01-01T00:00:00Z', c: '012', d: '~' };
    const { stdout } = await value({ format: 'yaml' }, words);
    expect(stdout).toBe('a: "no"\nb: "2026-01-01T00:00:00Z"\nc: "012"\nd: "~"\n');
  });

  test('the same object twice is written twice', async () => {
    const shared = { x: 1 };
    expect((await value({ format: 'yaml' }, [shared, shared])).stdout).toBe('- x: 1\n- x: 1\n');
  });
});

describe('CSV', () => {
  const line = async (fields: readonly unknown[], options: PrintOptions = {}) => {
    const columns = fields.map((_field, at) => ({ header: `c${at}`, value: String(at) }));
    const { stdout } = await print({ format: 'csv', ...options }, (printer) =>
      printer.list([fields], { columns }),
    );
    return stdout.slice(stdout.indexOf('\n') + 1);
  };
  test.each<[string, unknown[], string]>([
    ['a comma', ['a,b', 'c'], '"a,b",c\n'],
    ['a quote', ['say "hi"', 'c'], '"say ""hi""",c\n'],
    ['line ends', ['a\nb', 'c\rd'], '"a\nb","c\rd"\n'],
    ['spaces, which belong to the field', [' a ', ''], ' a ,\n'],
    ['formulas, which are data', ['=1+1', '+1', '-1', '@x', '\t=1'], '=1+1,+1,-1,@x,\t=1\n'],
    ['nothing, false and zero', [null, false, 0], ',false,0\n'],
    ['nested values', [{ a: [1, 'x'] }], '"{""a"":[1,""x""]}"\n'],
    ['one empty field', [''], '""\n'],
  ])('%s', async (_name, fields, expected) => {
    expect(await line(fields)).toBe(expected);
  });

  test('on a terminal control characters are escapes, in a pipe they are exact', async () => {
    expect(await line(['a\u001b[2J'])).toBe('a\u001b[2J\n');
    expect(await line(['a\u001b[2J'], { width: 80 })).toBe('a\\u{1b}[2J\n');
  });
});

// U+2028 and the mark U+FEFF are printable to YAML, but not in all its versions and places.
const unprintable = ['0000', '001b', '007f', '0080', '0085', '009b', '009f', '2028', '2029', 'feff', 'fffe'];
test.each([...unprintable, 'ffff', 'd800'])(
  'YAML holds U+%s as an escape, in keys, values and lines, on any output',
  async (code) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    const text = `a${character}b`;
    const item = { [text]: text, list: [text], lines: `${text}\n  c\n` };
    for (const width of [undefined, 80]) {
      const { stdout } = await value(
        width === undefined ? { format: 'yaml' } : { format: 'yaml', width },
        item,
      );
      expect(stdout).not.toContain(character);
      expect(parse(stdout)).toEqual(item);
    }
  },
);
