import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faults } from './faults.js';
import { placeOf } from './place-of.js';

const root = join(import.meta.dirname, '..', '..');

it('every fault that is planted has its one place in the sources', () => {
  expect(faults.filter(({ find }) => placeOf(root, find) === undefined).map(({ name }) => name)).toEqual([]);
});
