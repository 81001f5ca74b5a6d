import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/built-tool.js';

const dist = join(root, 'dist', 'console');
const served = ['console.css', 'console.js', 'index.html'];
const textOf = (name: string) => readFileSync(join(dist, name), 'utf8');

it('the console consists of these files and the licenses of their contents; its script has at most 90 kB', () => {
  expect(readdirSync(dist).toSorted()).toEqual(['THIRD-PARTY-NOTICES.txt', ...served]);
  expect(textOf('console.js').length).toBeLessThanOrEqual(90_000);
});

it.each(served)('%s has no address of another origin, and never turns text into markup', (name) => {
  const addresses = textOf(name).match(/(?:https?:)?\/\/[\w.-]+\.\w+[^\s"'`)]*/g) ?? [];
  // Names of XML's vocabularies, which nobody asks for.
  expect(addresses.filter((address) => !/^http:\/\/www\.w3\.org\//.test(address))).toEqual([]);
  expect(textOf(name)).not.toMatch(/outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function/);
});
