import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/built-tool.js';

// What a browser gets of the management console.

const dist = join(root, 'dist', 'console');
const first = ['index.html', 'console.js', 'console.css', 'shared.js'];
const views = ['api-view.js', 'requests-view.js', 'signature-check-view.js', 'test-controls-view.js'];
const served = [...first, ...views, 'openapi.json'];
const textOf = (name: string) => readFileSync(join(dist, name), 'utf8');

it('is these files, and the licences of what they contain', () => {
  expect(readdirSync(dist).toSorted()).toEqual([...served, 'THIRD-PARTY-NOTICES.txt'].toSorted());
});

it.each([...first, ...views])('%s leads to no other origin', (name) => {
  const addresses = [...textOf(name).matchAll(/(?:https?:)?\/\/[\w.-]+\.\w+[^\s"'`)]*/g)].map(
    ([found]) => found,
  );
  // Names of XML's vocabularies, which nobody asks for.
  expect(addresses.filter((address) => !/^http:\/\/www\.w3\.org\//.test(address))).toEqual([]);
});

it.each(served)('%s makes markup of no text', (name) => {
  expect(textOf(name)).not.toMatch(/outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/);
});
