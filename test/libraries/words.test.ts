import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/built-tool.js';
import { allCommands } from '../support/command-tree.js';

// Who uses a library has no command line: what its errors advise are options of its own. The command line says the same
// with flags and commands (src/cli/error-report.ts).

const dist = join(root, 'dist');

/** What the libraries say of the command line all the same, and why. */
const known = {
  'or use orgctl local in a terminal': 'a page of the management console, for whoever runs the server',
  'not echo; --data-binary, not --data': 'flags of curl, in whose command a signature went wrong',
  '`--header $': 'a flag of curl',
  '"--header @': 'a flag of curl',
  '--include=optional': 'a flag of npm',
  'orgctl local CA': 'the name of a certificate',
  'orgctl serve': 'the name of a certificate',
  'orgctl proxy: ': 'the beginning of a message by which the client knows the proxy',
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

it('no library names a command or a flag of the command line', async () => {
  const commands = (await allCommands()).filter(({ line }) => line !== 'orgctl');
  const flags = commands.flatMap(({ command }) => command.options.flatMap(({ long }) => long ?? []));
  expect([commands.length, flags.length].every((count) => count > 40)).toBe(true);
  const words = [...new Set([...commands.map(({ line }) => line), ...flags])];
  const pattern = new RegExp(`(?<![\\w./-])(?:${words.join('|')})(?![\\w-])`, 'g');
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
