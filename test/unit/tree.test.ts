import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/built-tool.js';
import { pages, pageText } from '../support/pages.js';

/** The code of each source file, without comments and templates, by its path without extension. */
const sources = new Map(
  readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => [path.replace(/\.tsx?$/, ''), readFileSync(join(root, 'src', path), 'utf8')])
    .map(([path = '', text = '']) => [path, text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*|`[^`]*`/g, '')]),
);

/** Everything that a file imports, directly or through other files: values, types, and by `import()`. */
function importsOf(path: string, found = new Set<string>()): Set<string> {
  for (const [, to = ''] of sources.get(path)?.matchAll(/(?:from|import) ?\(?'(\.[^']+)\.js'/g) ?? []) {
    const imported = join(dirname(path), to);
    if (!found.has(imported)) importsOf(imported, found.add(imported));
  }
  return found;
}

it('imports have no circles, and client and server do not import each other', () => {
  const breaks = (from: string, to: string) =>
    from === to || /^(client\/.* server|server\/.* client)\//.test(`${from} ${to}`);
  const arrows = [...sources.keys()].flatMap((from) => [...importsOf(from)].map((to) => [from, to] as const));
  expect(arrows.length).toBeGreaterThan(1000);
  expect(arrows.filter(([from, to]) => breaks(from, to))).toEqual([]);
});

it('only main.ts and terminal/ use process and console', () => {
  // Library users have neither: environment and user of their process. Then a child's whole program, and the end of one.
  const others =
    /^(client\/(create-client|signing\/signed-fetch)|platform\/regular-file|profiles\/(keyring|secret-command)\/.*)$/;
  const uses =
    /(?<![\w.'])(process\.[a-z]|console\.(log|error|warn))|import (?!\{ versions \}).* from 'node:process'/;
  const found = [...sources].filter(([, code]) => uses.test(code)).map(([path]) => path);
  expect(found.filter((path) => !/^(main$|terminal\/)/.test(path) && !others.test(path))).toEqual([]);
});

it.each([...pages, 'CONTRIBUTING.md', 'SECURITY.md'])('links of %s lead somewhere', (page) => {
  const links = [...pageText(page).matchAll(/\]\((?!https?:|#)([^)\s#]+)/g)].map(([, link = '']) => link);
  expect(links.filter((link) => !existsSync(join(root, dirname(page), link)))).toEqual([]);
});
