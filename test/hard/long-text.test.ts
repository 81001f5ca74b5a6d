import { expect, it } from 'vitest';
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
  const lay = async (length: number) => {
    const rows = [character.repeat(length)];
    const view = { columns: [{ header: 'NAME', value: (row: string) => row }] };
    const before = process.cpuUsage();
    for (const width of [80, undefined]) {
      await print({ format: 'table', ...(width && { width }) }, (printer) => printer.list(rows, view));
    }
    const { user, system } = process.cpuUsage(before);
    return user + system;
  };
  await lay(1000);
  const half = await lay(count / 2);
  // Quadratic time is four times as much; half a second is mostly chance.
  expect(await lay(count)).toBeLessThan(Math.max(3 * half, 500_000));
});
