import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { manPage } from '../../build/docs.js';
import { helpAskedFor, helpFileName } from '../../src/cli/help-text.js';
import { run } from '../../src/main.js';
import { root } from '../support/built-tool.js';
import { allCommands } from '../support/command-tree.js';
import { memorySystem } from '../support/memory-system.js';
import { emptyEnvironment, runCli } from '../support/run-cli.js';

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

  it.runIf(present.some(([name]) => name === 'groff'))('shows any text as it is', () => {
    const worst = ['.so /etc/passwd', "'br", 'a\\fB \\n(.x', '-n --no-x', '"q" \'s\' `t` ^~ …é'];
    const command = {
      command: 'orgctl',
      usage: 'orgctl worst [options]',
      summary: '',
      description: worst.join(' '),
      arguments: [],
      options: worst.map((text) => ({ flags: text, description: text, type: 'text' as const })),
      examples: worst.map((text) => ({ command: text, what: text })),
    };
    const below = { ...command, command: 'orgctl worst', description: '.TH not a heading', exitCodes: [] };
    const page = manPage({ version: '1', exitCodes: [], commands: [command, below] });
    const options = ['-man', '-Tutf8', '-ww', '-P-cbou', '-rLL=200n'];
    const shown = execFileSync('groff', options, { input: page, encoding: 'utf8' });
    for (const text of [...worst, below.description]) expect(shown).toContain(text);
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

  it.each([
    [['--help'], ''],
    [[], ''],
    [['quotas', '-h'], 'quotas'],
    [['connections', 'create', '--help'], 'connections create'],
    [['serve', '--', '--help'], undefined],
    [['-q', '--help'], undefined],
    [['../../package', '--help'], undefined],
    [['--help', 'quotas'], undefined],
    [['quotas'], undefined],
  ])('is asked for by %j: %j', (args, command) => {
    expect(helpAskedFor(args)).toBe(command);
  });

  it.each([
    [200, 'made'],
    [100, 'made'],
    [99, expect.stringContaining('Usage: orgctl quotas')],
  ])('is shown on a terminal of %i columns as it is, or laid out for it', async (columns, expected) => {
    const system = memorySystem({
      argv: ['quotas', '--help'],
      isTTY: true,
      columns,
      env: { ...emptyEnvironment(), NO_COLOR: '1' },
    });
    await run(
      system,
      () => import('../../src/command-line.js'),
      (name) => (name === 'orgctl-quotas.txt' ? 'made' : undefined),
    );
    expect(system.stdoutText()).toEqual(expected);
  });
});

describe('llms.txt', () => {
  it('has every command, and leads to files of the package', async () => {
    const text = readFileSync(join(dist, 'llms.txt'), 'utf8');
    expect(text).toMatch(/^# orgctl\n\n> /);
    const leaves = (await allCommands()).filter(({ isLeaf, hidden }) => isLeaf && !hidden);
    expect(leaves.map(({ line }) => line).filter((line) => !text.includes(`\n${line}`))).toEqual([]);
    const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, path = '']) => path);
    for (const path of links) expect(readFileSync(join(dist, path), 'utf8')).not.toBe('');
    expect(links.length).toBeGreaterThan(3);
  });
});
