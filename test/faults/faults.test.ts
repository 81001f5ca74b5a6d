import { join } from 'node:path';
import { expect, it } from 'vitest';
import { faults } from './faults.js';
import { placeOf, readSources } from './place-of.js';

const sources = readSources(join(import.meta.dirname, '..', '..'));

it('every fault has its one place in the sources', () => {
  expect(faults.filter(({ find }) => placeOf(sources, find) === undefined).map(({ name }) => name)).toEqual(
    [],
  );
});
