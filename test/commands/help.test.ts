import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exits } from '../../src/cli/exit.js';
import { knownMistakes } from '../../src/signing/index.js';
import { allCommands } from '../support/command-tree.js';
import { errorOf, runCli } from '../support/run-cli.js';

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
    [
      'help signin',
      'unknown command or topic: "signin"',
      expect.stringMatching(/^one of quotas, .*, signing$/),
    ],
    ['connections lst', "unknown command 'lst'", 'did you mean one of list, ls?'],
    // Never one that destroys.
    ['connections delet x', "unknown command 'delet'", expect.stringMatching(/^one of list, /)],
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

  it('of a group without subcommand is named by an error', async () => {
    const message = 'orgctl connections: the subcommand is missing';
    expect(await runCli(['connections'])).toEqual({
      code: 2,
      stdout: '',
      stderr: `error: ${message}\nhint: one of list, get, create, update, delete; more: orgctl connections --help\n`,
    });
    expect(errorOf(await runCli(['connections', '-o', 'json']))).toMatchObject({ message });
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

  it('is data with -o json: options with choices, variables and what must be given, effects and exit codes', async () => {
    const { commands: mapped, exitCodes: codes } = await json('help', '--map');
    const at = (line: string) => mapped.find(({ command }: { command: string }) => command === line);
    expect(mapped.map(({ command }: { command: string }) => command)).toEqual(
      commands.map(({ line }) => line),
    );
    expect(codes).toContainEqual({ exit: 13, code: 'threshold', when: expect.any(String) });
    expect(at('orgctl connections create')).toMatchObject({
      usage: 'orgctl connections create [options]',
      arguments: [],
      calls: 'service',
      writes: ['service'],
      asks: expect.stringContaining('password'),
      options: expect.arrayContaining([
        { long: '--file', flags: '--file <path>', description: expect.any(String) },
      ]),
      exitCodes: expect.arrayContaining([{ exit: 11, code: 'outcome_unknown' }]),
    });
    const choices = ['table', 'json', 'jsonl', 'yaml', 'csv', 'wide'];
    expect(at('orgctl').options).toContainEqual(
      expect.objectContaining({ long: '--output', short: '-o', choices, env: 'ORGCTL_OUTPUT' }),
    );
    expect(at('orgctl teams update').options).toContainEqual(
      expect.objectContaining({ long: '--name', required: true }),
    );
    expect(at('orgctl completion').arguments[0].choices).toContain('fish');
  });
});

describe('topics', () => {
  it('exit-codes are data too', async () => {
    const rows: { exit: number; code?: string; when: string }[] = await json('help', 'exit-codes');
    expect(rows.map(({ exit }) => exit)).toEqual([0, ...Object.values(exits).map(([exit]) => exit)]);
    expect(rows.map(({ code }) => code)).toEqual([undefined, ...Object.keys(exits)]);
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
