import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exit.js';
import { knownMistakes } from '../../src/signing/index.js';
import { allCommands } from '../support/command-tree.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';

// What holds for the help of each command is test/commands/help-golden.test.ts's.
const commands = (await allCommands()).filter(({ hidden }) => !hidden);

async function json(...args: string[]) {
  const ended = await runCli([...args, '-o', 'json']);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

describe('help', () => {
  it('is what orgctl alone prints', async () => {
    const alone = await runCli([]);
    expect(alone).toMatchObject({ code: 0, stderr: '' });
    expect(alone.stdout).toContain('Usage: orgctl [options] <command>');
    expect(await runCli(['help'])).toEqual(alone);
    expect(await runCli(['--help'])).toEqual(alone);
  });

  it.each(['quotas', 'connections create', 'help'])('of %s is what the command prints', async (line) => {
    const help = await runCli(['help', ...line.split(' ')]);
    expect(help.stdout).toContain(`Usage: orgctl ${line}`);
    expect(await runCli([...line.split(' '), '--help'])).toEqual(help);
  });

  it.each([
    ['help signin', 'unknown command or topic "signin"', 'did you mean signing?'],
    ['help __complet', 'unknown command or topic "__complet"', expect.stringContaining('one of quotas, ')],
    ['help env', 'unknown command or topic "env"', 'did you mean environment?'],
    ['connections lst', "unknown command 'lst'", 'did you mean one of list, ls?'],
    ['connections delet x', "unknown command 'delet'", 'see the usage: orgctl connections --help'],
    [
      'quotas --secret=hunter2',
      "unknown option '--secret'",
      expect.stringContaining('never passed as arguments'),
    ],
    ['quotas --sekret=hunter2', "unknown option '--sekret'", expect.not.stringContaining('hunter2')],
    ['serve --detached', "unknown option '--detached'", 'did you mean --detach?'],
    ['quotas --fail-ovr 9', "unknown option '--fail-ovr'", 'did you mean --fail-over?'],
  ])('%s names the nearest word', async (line, message, hint) => {
    const ended = await runCli([...line.split(' '), '-o', 'json']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ code: 'usage', message, hint });
  });

  it('shows a topic whose name is typed as words', async () => {
    expect(await runCli(['help', 'exit', 'codes'])).toEqual(await runCli(['help', 'exit-codes']));
  });

  it('of a group without subcommand is shown with an error, but not to programs', async () => {
    const message = 'orgctl connections: the subcommand is missing';
    const help = await runCli(['connections', '--help']);
    expect(await runCli(['connections'])).toEqual({
      code: 2,
      stdout: '',
      stderr:
        `${help.stdout}\nerror: ${message}\n` +
        'hint: one of list, get, create, update, delete; more: orgctl connections --help\n',
    });
    expect(errorOf(await runCli(['connections', '-o', 'json']))).toMatchObject({ message });
  });
});

describe('--help -o json', () => {
  it('is the command as data, wherever the format stands', async () => {
    const described = await json('connections', 'create', '--help');
    expect(described).toMatchObject({
      command: 'orgctl connections create',
      usage: 'orgctl connections create [options]',
      arguments: [],
      calls: 'service',
      writes: ['service'],
      asks: expect.stringContaining('password'),
    });
    expect(await json('help', 'connections', 'create')).toEqual(described);
    const { stdout } = await runCli(['-o', 'json', 'connections', 'create', '-h']);
    expect(JSON.parse(stdout)).toEqual(described);
    expect(described.options).toContainEqual({
      ...{ long: '--file', flags: '--file <path>', description: expect.any(String), type: 'path' },
      conflicts: expect.arrayContaining(['--name', '--password-stdin']),
    });
    expect(described.exitCodes).toContainEqual({ exit: 11, code: 'outcome_unknown' });
    expect(described.examples.length).toBeGreaterThan(0);
  });

  it('tells defaults, choices, variables, and what must be given', async () => {
    const { options, subcommands } = await json('--help');
    const choices = ['table', 'json', 'jsonl', 'yaml', 'csv', 'wide'];
    for (const option of [
      { long: '--output', short: '-o', default: 'table', choices, env: 'ORGCTL_OUTPUT' },
      { long: '--timeout', type: 'duration', default: '30s', env: 'ORGCTL_TIMEOUT' },
      { long: '--quiet', type: 'flag' },
    ]) {
      expect(options).toContainEqual(expect.objectContaining(option));
    }
    expect(subcommands).toContainEqual({ name: 'teams', summary: expect.any(String) });
    const update = await json('teams', 'update', '--help');
    expect(update.options).toContainEqual(expect.objectContaining({ long: '--name', required: true }));
    expect(update.arguments).toEqual([
      { name: 'id-or-name', description: expect.any(String), required: true, repeatable: false },
    ]);
    expect((await json('completion', '--help')).arguments[0].choices).toContain('fish');
    expect(await json('connections', '--help')).not.toHaveProperty('exitCodes');
  });

  it('answers a query, speaks YAML, and is for people otherwise', async () => {
    const asked = ['quotas', '--help', '--query', 'options[0].long', '-r'];
    expect(await runCli(asked)).toEqual({ code: 0, stdout: '--kind\n', stderr: '' });
    expect((await runCli(['quotas', '--help', '-o', 'yaml'])).stdout).toContain('command: orgctl quotas\n');
    const text = await runCli(['quotas', '--help']);
    // Nobody who set the variable for their scripts wants help to be one of them.
    const env = { ...emptyEnvironment(), ORGCTL_OUTPUT: 'json' };
    for (const line of [
      ['quotas', '--help'],
      ['help', 'quotas'],
    ]) {
      expect(await runCli([...line, '-o', 'table'])).toEqual(text);
      expect(await runCli(line, { env })).toEqual(text);
    }
    const wrong = await runCli(['quotas', '--help', '--query', '[', '-o', 'json']);
    expect([wrong.code, wrong.stdout, errorOf(wrong)]).toMatchObject([2, '', { code: 'usage' }]);
  });
});

describe('help --map', () => {
  it('has every command, in about 5,000 tokens as text', async () => {
    const { stdout } = await runCli(['help', '--map']);
    const leaves = commands.filter(({ isLeaf }) => isLeaf).map(({ line }) => line);
    for (const leaf of leaves) expect(`\n${stdout}`).toMatch(new RegExp(`\\n${leaf}[ \\n]`));
    // Four characters a token is what is reckoned with for English.
    expect(stdout.length / 4).toBeLessThan(5_000);
  });

  it('has as JSON what --help has of each', async () => {
    const { commands: mapped, exitCodes: codes } = await json('help', '--map');
    const lines = mapped.map(({ command }: { command: string }) => command);
    expect(lines).toEqual(commands.map(({ line }) => line));
    expect(mapped[lines.indexOf('orgctl teams create')]).toEqual(await json('teams', 'create', '--help'));
    expect(codes).toContainEqual({ exit: 13, code: 'threshold', when: expect.any(String) });
  });
});

describe('topics', () => {
  it('exit-codes are data too', async () => {
    const rows: { exit: number; code?: string; when: string }[] = await json('help', 'exit-codes');
    expect(rows.map(({ exit }) => exit)).toEqual([0, ...Object.values(exitCodes)]);
    expect(rows.map(({ code }) => code)).toEqual([undefined, ...Object.keys(exitCodes)]);
    expect(rows.every(({ when }) => when.length > 0)).toBe(true);
  });

  it('signing has an example that is right, and every known mistake', async () => {
    const { example, mistakes } = await json('help', 'signing');
    const signature = createHmac('sha256', example.secret).update(example.canonicalString).digest('hex');
    expect(example.headers['X-API-Signature']).toBe(signature);
    expect(mistakes).toEqual(knownMistakes);
    const text = (await runCli(['help', 'signing'])).stdout;
    for (const { id } of knownMistakes) expect(text).toContain(`  ${id} `);
    expect(text).toContain(`X-API-Signature: ${signature}`);
  });
});
