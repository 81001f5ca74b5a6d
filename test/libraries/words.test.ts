import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { root } from '../support/built-tool.js';
import { allCommands } from '../support/command-tree.js';

/** Flags of curl and npm in the code of the libraries, and what the console page advises. */
const ofOthers =
  /not echo; --data-binary, not --data|`--header \$|"--header @|--include=optional|local console \(--proxy for a proxy\)/g;

it('no library names a flag: who uses it has no command line', async () => {
  const dist = join(root, 'dist');
  const commands = await allCommands();
  const flags = new Set(commands.flatMap(({ command }) => command.options.flatMap(({ long }) => long ?? [])));
  const pattern = new RegExp(`(?<![\\w./-])(?:${[...flags].join('|')})(?![\\w-])`);
  const paths = readdirSync(dist, { recursive: true, encoding: 'utf8' });
  const libraries = paths.filter((path) => /^(chunks.)?[\w-]+\.js$/.test(path));
  expect([flags.size > 40, libraries.length > 3]).toEqual([true, true]);
  for (const library of libraries) {
    const code = readFileSync(join(dist, library), 'utf8').replaceAll(ofOthers, '');
    expect(code, library).not.toMatch(pattern);
  }
});
