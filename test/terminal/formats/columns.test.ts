import { describe, expect, test } from 'vitest';
import { UsageError } from '../../../src/errors/errors.js';
import {
  cellText,
  cellValue,
  keyColumns,
  nameField,
  parseColumns,
  selectColumns,
  type TableView,
} from '../../../src/terminal/formats/columns.js';

const columns: readonly TableView<{ name: string }>[] = [
  { header: 'NAME', value: 'name' },
  { header: 'LAST USED', value: 'last_used_at' },
  { header: 'USED PERCENT', value: (row) => row.name.length },
];

describe('--columns', () => {
  test('are parted by commas', () => {
    expect(parseColumns(' name , config.host ')).toEqual(['name', 'config.host']);
  });

  test.each(['', ' ', ',', 'name,', 'name,,id'])('%j is refused', (text) => {
    expect(() => parseColumns(text)).toThrow(UsageError);
  });

  test('a name is a header or path of the view in any case, else a path into the row', () => {
    expect(selectColumns(columns, ['LAST_USED_AT', 'last used', 'Name', 'config.host'])).toEqual([
      columns[1],
      columns[1],
      columns[0],
      { header: 'config.host', value: 'config.host' },
    ]);
  });

  test('without it the view decides', () => {
    expect(selectColumns(columns, undefined)).toBe(columns);
  });
});

test('field names are paths, or headers in their form', () => {
  expect(columns.map(nameField)).toEqual(['name', 'last_used_at', 'used_percent']);
});

describe('a path', () => {
  const row = { a: { b: { c: 1 } }, 'a.b': { c: 2 }, list: ['x', { y: 3 }], none: null };
  test.each([
    ['a', { b: { c: 1 } }],
    ['a.b', { c: 2 }],
    ['a.b.c', 1],
    ['list.1.y', 3],
    ['none', null],
    ['none.x', undefined],
    ['a.z', undefined],
    ['constructor', undefined],
    ['__proto__', undefined],
    ['list.length.x', undefined],
  ])('%s', (path, expected) => {
    expect(cellValue(row, { header: path, value: path })).toEqual(expected);
  });
});

test.each([
  [null, ''],
  [undefined, ''],
  ['', ''],
  ['text', 'text'],
  [true, 'true'],
  [0, '0'],
  [{ a: [1] }, '{"a":[1]}'],
  [[1, 2], '[1,2]'],
])('the text of %j is %j', (value, expected) => {
  expect(cellText(value)).toBe(expected);
});

test('rows that no view knows have the columns of their fields', () => {
  const found = keyColumns([{ a: 1, 'b.c': 2 }, { d: 3 }, 'scalar']);
  expect(found.map(nameField)).toEqual(['a', 'b.c', 'd', 'value']);
  expect(found.map((column) => cellValue({ a: 1, 'b.c': 2 }, column))).toEqual([1, 2, undefined, undefined]);
  const ofScalar = found.map((column) => cellValue('scalar', column));
  expect(ofScalar).toEqual([undefined, undefined, undefined, 'scalar']);
});
