import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { anyText } from './support/any-text.js';
import { print } from './support/print.js';

const formats = ['json', 'jsonl', 'yaml'] as const;

test.each(formats)('%s says again what it was given', async (format) => {
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
      else if (format !== 'yaml') expect(stdout).not.toContain('\\u202e');
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

test('YAML quotes words that YAML 1.1 takes for something else, and writes the same object twice', async () => {
  const shared = { x: 1 };
  const words = { a: 'no', b: '2026-01-01T00:00:00Z', c: '012', d: '~', e: [shared, shared] };
  const { stdout } = await print({ format: 'yaml' }, (printer) => printer.document(words));
  expect(stdout).toBe('a: "no"\nb: "2026-01-01T00:00:00Z"\nc: "012"\nd: "~"\ne:\n  - x: 1\n  - x: 1\n');
});

// U+2028 and the mark U+FEFF are printable to YAML, but not in all its versions and places.
test.each(['0000', '001b', '007f', '0085', '009b', '2028', 'feff', 'fffe', 'ffff', 'd800'])(
  'YAML holds U+%s as an escape, in keys, values and lines',
  async (code) => {
    const character = String.fromCharCode(Number.parseInt(code, 16));
    const text = `a${character}b`;
    const item = { [text]: text, list: [text], lines: `${text}\n  c\n` };
    const { stdout } = await print({ format: 'yaml' }, (printer) => printer.document(item));
    expect(stdout).not.toContain(character);
    expect(parse(stdout)).toEqual(item);
  },
);

test.each<[string, unknown[], string]>([
  ['a comma', ['a,b', 'c'], '"a,b",c\n'],
  ['line ends', ['a\nb', 'c\rd'], '"a\nb","c\rd"\n'],
  ['spaces, which belong to the field', [' a ', ''], ' a ,\n'],
  ['formulas, which are data', ['=1+1', '-1', '\t=1'], '=1+1,-1,\t=1\n'],
  ['nothing, false and zero', [null, false, 0], ',false,0\n'],
  ['nested values', [{ a: [1, 'x'] }], '"{""a"":[1,""x""]}"\n'],
  ['one empty field', [''], '""\n'],
  ['control characters, exact in a pipe', ['a\u001b[2J'], 'a\u001b[2J\n'],
])('CSV of %s', async (_name, fields, expected) => {
  const columns = fields.map((_field, at) => ({ header: `c${at}`, value: String(at) }));
  const { stdout } = await print({ format: 'csv', headers: false }, (printer) =>
    printer.list([fields], { columns }),
  );
  expect(stdout).toBe(expected);
});
