import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/built-tool.js';
import { allCommands } from '../support/command-tree.js';

// Who uses a library has no command line, so its errors advise in words that serve both.

const dist = join(root, 'dist');

/** What the libraries say of the command line all the same, and why. */
const known = {
  'not echo; --data-binary, not --data': 'flags of curl, in whose command a signature went wrong',
  '`--header $': 'a flag of curl',
  '"--header @': 'a flag of curl',
  '--include=optional': 'a flag of npm',
};

/** The code of the libraries, what they load included, without what is known. */
function codeOf(library: string): string {
  const code = readFileSync(join(dist, library), 'utf8');
  return Object.keys(known).reduce((left, text) => left.replaceAll(text, ''), code);
}

const libraries = () =>
  readdirSync(dist, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /^(chunks.)?[\w-]+\.js$/.test(path),
  );

it('no library names a flag of the command line', async () => {
  const commands = await allCommands();
  const flags = new Set(commands.flatMap(({ command }) => command.options.flatMap(({ long }) => long ?? [])));
  expect(flags.size).toBeGreaterThan(40);
  const pattern = new RegExp(`(?<![\\w./-])(?:${[...flags].join('|')})(?![\\w-])`, 'g');
  const found = libraries().flatMap((library) =>
    [...codeOf(library).matchAll(pattern)].map(({ index, input }) => input.slice(index - 60, index + 60)),
  );
  expect(found).toEqual([]);
});

it('what is known of the command line is still there', () => {
  const all = libraries()
    .map((library) => readFileSync(join(dist, library), 'utf8'))
    .join('\n');
  for (const text of Object.keys(known)) expect(all).toContain(text);
});
