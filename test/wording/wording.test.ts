import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/built-tool.js';
import { pages, pageText } from '../support/pages.js';
import phrases from './phrases.json' with { type: 'json' };

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .sort();

/** Comment stars and line breaks do not separate the words of a phrase; only its first letter has two cases. */
const patterns = Object.entries(phrases).map(([phrase, better]) => {
  const words = phrase
    .trim()
    .split(' ')
    .map((word) => word.replace(/[*?/]/g, '\\$&'));
  const text = words
    .join('\\s+(?:(?:\\*|//)\\s+)?')
    .replace(/^[a-z]/, (first) => `[${first}${first.toUpperCase()}]`);
  return { phrase, better, pattern: new RegExp(`(?<!\\w)${text}(?!\\w)`, 'g') };
});

/** Each phrase that stands in a text, with its line. */
function listPhrases(text: string): string[] {
  return patterns.flatMap(({ phrase, better, pattern }) =>
    [...text.matchAll(pattern)].map(({ index }) => {
      const line = text.slice(0, index).split('\n').length;
      return `line ${line}: "${phrase.trim()}" (better: ${better})`;
    }),
  );
}

/** A page without code blocks and generated parts, which repeat texts of the sources. */
function readProse(page: string): string {
  const repeated = /<!-- begin (\w+)[\s\S]*?<!-- end \1 -->|^```[\s\S]*?^```$/gm;
  return pageText(page).replaceAll(repeated, (part) => part.replaceAll(/[^\n]/g, ''));
}

it.each([...pages, 'CONTRIBUTING.md', 'SECURITY.md'])('%s has none of the phrases', (page) => {
  expect(listPhrases(readProse(page))).toEqual([]);
});

it('the sources have none of the phrases', () => {
  const found = sources.flatMap((path) => listPhrases(pageText(path)).map((one) => `${path} ${one}`));
  expect(found).toEqual([]);
});

it('finds a phrase across lines of a comment, and no part of a word', () => {
  expect(listPhrases('/**\n * In the\n * place of it, canew; noBody.\n */')).toEqual([
    'line 2: "in the place of" (better: instead of)',
  ]);
});
