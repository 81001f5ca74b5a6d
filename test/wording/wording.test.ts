import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/built-tool.js';
import { pages, pageText } from '../support/pages.js';
import allowed from './allowed.json' with { type: 'json' };
import phrases from './phrases.json' with { type: 'json' };

const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
  .filter((name) => /\.tsx?$/.test(name))
  .map((name) => `src/${name.replaceAll('\\', '/')}`)
  .sort();

/** Comment stars and line breaks do not separate the words of a phrase. */
const patterns = Object.entries(phrases).map(([phrase, better]) => {
  const words = phrase
    .trim()
    .split(' ')
    .map((word) => word.replace(/[*?/]/g, '\\$&'));
  const text = words.join('\\s+(?:(?:\\*|//)\\s+)?');
  return { phrase, better, pattern: new RegExp(`(?<!\\w)${text}(?!\\w)`, 'gi') };
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

const limits: Readonly<Record<string, number>> = allowed;

it.each([...pages, 'CONTRIBUTING.md', 'SECURITY.md'])('%s has none of the phrases', (page) => {
  expect(listPhrases(readProse(page))).toEqual([]);
});

it('the sources have none that is new', () => {
  const excess = sources.flatMap((path) => {
    const found = listPhrases(pageText(path));
    return found.length > (limits[path] ?? 0) ? [{ path, allowed: limits[path] ?? 0, found }] : [];
  });
  expect(excess).toEqual([]);
});

// With -u the list only shrinks.
it('the list of what is left shrinks with the sources: npx vitest run --project quick test/wording -u', async () => {
  const left = sources.flatMap((path) => {
    const count = Math.min(listPhrases(pageText(path)).length, limits[path] ?? 0);
    return count > 0 ? [[path, count]] : [];
  });
  const text = `${JSON.stringify(Object.fromEntries(left), null, 2)}\n`;
  await expect(text).toMatchFileSnapshot('allowed.json');
});

it('finds a phrase across lines of a comment, and no part of a word', () => {
  expect(listPhrases('/**\n * The record in the\n * place of it, canew.\n */')).toEqual([
    'line 2: "in the place of" (better: instead of)',
  ]);
});
