import { it } from 'vitest';
import { expectEveryRow, expectEverySecret } from './support/any-dialect.js';

// With more of them in test/hard.
it('finds every row, or says that the list is not proved whole, and then plans nothing', () =>
  expectEveryRow(10, 26));

it('shows every secret of a new key', () => expectEverySecret(5, 26));
