import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Fault, faults, parseFaults } from './faults.js';
import { placeOf, readSources } from './place-of.js';

const root = join(import.meta.dirname, '..', '..');
const sources = readSources(root);
const testFiles = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.test.ts'))
  .map((path) => join('test', path));

const namesOf = (wrong: (fault: Fault) => boolean) => faults.filter(wrong).map(({ name }) => name);

describe('each fault', () => {
  it('has its one place in the sources', () => {
    expect(namesOf(({ find }) => placeOf(sources, find) === undefined)).toEqual([]);
  });

  it('changes something', () => {
    expect(namesOf(({ find, replace }) => find.trim() === '' || find === replace)).toEqual([]);
  });

  it('has a name of its own', () => {
    expect(namesOf(({ name }) => faults.filter((other) => other.name === name).length > 1)).toEqual([]);
  });

  it('has tests that are there', () => {
    const isThere = (start: string) => testFiles.some((path) => path.startsWith(start));
    expect(namesOf(({ tests }) => tests.length === 0 || !tests.every(isThere))).toEqual([]);
  });
});

it('lines stay, go and come', () => {
  const text = '@@ test/a test/b\n\none\n keep\n-gone\n+come\n+too\n\n@@ test/c\n\ntwo\n-gone\n';
  expect(parseFaults(text, 'some')).toEqual([
    {
      area: 'some',
      name: 'one',
      find: 'keep\ngone',
      replace: 'keep\ncome\ntoo',
      tests: ['test/a', 'test/b'],
    },
    { area: 'some', name: 'two', find: 'gone', replace: '', tests: ['test/c'] },
  ]);
});
