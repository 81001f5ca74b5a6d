import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { helpFileName } from '../../../src/cli/help-text.js';
import { root } from '../../support/built-tool.js';
import { runCli } from '../../support/run-cli.js';
import { allCommands } from '../support/command-tree.js';

const dist = join(root, 'dist');

it('the manual page is what npm installs, and has every command', async () => {
  const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  expect(man.map((page: string) => join(root, page))).toEqual([join(dist, 'man', 'orgctl.1')]);
  const page = readFileSync(join(dist, 'man', 'orgctl.1'), 'utf8');
  const commands = (await allCommands()).filter(({ isLeaf, hidden }) => isLeaf && !hidden);
  const headings = commands.map(({ line }) => `.SS "${line.replaceAll('-', '\\-')}"\n`);
  expect(headings.filter((heading) => !page.includes(heading))).toEqual([]);
});

it('the help that is made is what the command line prints, of every command', async () => {
  for (const { line } of (await allCommands()).filter(({ hidden }) => !hidden)) {
    const [, ...words] = line.split(' ');
    const made = readFileSync(join(dist, 'help', helpFileName(words.join(' '))), 'utf8');
    expect((await runCli([...words, '--help'])).stdout, line).toBe(made);
  }
});
