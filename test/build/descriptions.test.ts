import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { helpFileName } from '../../src/cli/help-text.js';
import { root } from '../support/built-tool.js';
import { allCommands } from '../support/command-tree.js';
import { runCli } from '../support/run-cli.js';

const dist = join(root, 'dist');

/** What a formatter that is here complains of; nothing where there is none. */
const formatters = [
  ['groff', ['-man', '-Tutf8', '-ww', '-z']],
  ['mandoc', ['-Tlint', '-Wwarning']],
] as const;
const present = formatters.filter(([name]) => spawnSync(name, ['--version']).error === undefined);

describe('the manual page', () => {
  const path = join(dist, 'man', 'orgctl.1');

  it('is what npm installs, has every command, and no formatter objects to it', async () => {
    const { man } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
    expect(man.map((page: string) => join(root, page))).toEqual([path]);
    const page = readFileSync(path, 'utf8');
    const commands = (await allCommands()).filter(({ isLeaf, hidden }) => isLeaf && !hidden);
    const headings = commands.map(({ line }) => `.SS "${line.replaceAll('-', '\\-')}"\n`);
    expect(headings.filter((heading) => !page.includes(heading))).toEqual([]);
    for (const [name, options] of present) {
      const { status, stdout, stderr } = spawnSync(name, [...options, path], { encoding: 'utf8' });
      expect({ name, status, said: `${stdout}${stderr}` }).toEqual({ name, status: 0, said: '' });
    }
  });
});

describe('the help that is made', () => {
  it('is what the command line prints, of every command', async () => {
    for (const { line } of (await allCommands()).filter(({ hidden }) => !hidden)) {
      const [, ...words] = line.split(' ');
      const made = readFileSync(join(dist, 'help', helpFileName(words.join(' '))), 'utf8');
      expect((await runCli([...words, '--help'])).stdout, line).toBe(made);
    }
  });
});
