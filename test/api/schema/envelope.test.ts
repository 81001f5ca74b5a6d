import { expect, it } from 'vitest';
import { envelope } from '../../../src/api/schema/envelope.js';

it.each([
  [0, 1],
  [20, 1],
  [21, 2],
])('%i items of 20 a page are %i pages', (total, pages) => {
  const at = { total, page: 1, limit: 20 };
  expect(envelope([], at)).toEqual({ data: [], ...at, pages });
});
