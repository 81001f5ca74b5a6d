import { it } from 'vitest';
import { expectEveryRow, expectEverySecret } from './support/any-dialect.js';
import { printedSeed, rounds } from './support/budget.js';

it('of any dialect finds every row, or says that the list is not proved whole, and then plans nothing', () =>
  expectEveryRow(rounds(300, 60), printedSeed('any dialect')));

it('of any dialect shows every secret of a new key', () =>
  expectEverySecret(rounds(150, 30), printedSeed('any dialect')));
