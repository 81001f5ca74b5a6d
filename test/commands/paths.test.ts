import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { allCommands } from '../support/command-tree.js';

const folder = join(import.meta.dirname, '..', '..', 'src', 'commands');

/** Where the file of a command is: by its words, in a folder of its own when it has subcommands. */
function pathOf(words: readonly string[], hasSubcommands: boolean): string {
  const path = words.map((word) => word.replace(/^_+/, '')).join('/');
  return hasSubcommands ? `${path}/index.ts` : `${path}.ts`;
}

it('the path of a file in src/commands is its command line, and nothing else is there', async () => {
  const commands = (await allCommands()).filter(({ words }) => words.length > 0);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    path.endsWith('.ts'),
  );
  expect(files.sort()).toEqual(
    commands.map(({ words, command }) => pathOf(words, command.commands.length > 0)).sort(),
  );
});
