import { expect, it } from 'vitest';
import { growthComplaint } from '../support/cpu-growth.js';
import { print } from '../terminal/print.js';
import { rounds } from './support/budget.js';

const count = rounds(32_000, 8_000);

it.each([
  ['joined emoji', '\u{1F469}\u200D'],
  ['wide characters', '\u6771'],
  ['flags', '\u{1F1E9}'],
  ['combining marks', '\u0301'],
  ['conjuncts', '\u0915\u094D'],
])(`lays a name of ${count} %s out in time that grows as the name does`, async (_name, character) => {
  const lay = async (row: string) => {
    const view = { columns: [{ header: 'NAME', value: (text: string) => text }] };
    for (const width of [80, undefined]) {
      await print({ format: 'table', ...(width && { width }) }, (printer) => printer.list([row], view));
    }
  };
  expect(await growthComplaint(lay, (length) => character.repeat(length), count / 2)).toBeUndefined();
});
