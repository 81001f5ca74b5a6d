import { describe, expect, it } from 'vitest';
import { readExplanation } from '../../src/cli/help-text.js';
import { allCommands } from '../support/command-tree.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';

const commands = (await allCommands()).filter(({ hidden }) => !hidden);

async function json(...args: string[]) {
  const ended = await runCli([...args, '-o', 'json']);
  expect(ended).toMatchObject({ code: 0, stderr: '' });
  return JSON.parse(ended.stdout);
}

describe('every command that does something', () => {
  it.each(commands.filter(({ isLeaf }) => isLeaf))(
    '$line says what it writes, asks and ends with',
    (found) => {
      const { facts } = readExplanation(found.command);
      expect(facts).toBeDefined();
      // What asks before it changes something can be told not to, where there is nobody to ask.
      if (facts?.asks?.includes('--yes'))
        expect(found.command.options.map(({ long }) => long)).toContain('--yes');
    },
  );
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
    expect(JSON.parse((await runCli(['-o', 'json', 'connections', 'create', '-h'])).stdout)).toEqual(
      described,
    );
    expect(described.options).toContainEqual({
      long: '--file',
      flags: '--file <path>',
      description: expect.any(String),
      type: 'path',
      conflicts: expect.arrayContaining(['--name', '--password-stdin']),
    });
    expect(described.exitCodes).toContainEqual({ exit: 7, code: 'quota_exceeded' });
    expect(described.exitCodes).toContainEqual({ exit: 11, code: 'outcome_unknown' });
    expect(described.examples.length).toBeGreaterThan(0);
  });

  it('tells defaults, choices, variables, and what must be given', async () => {
    const { options, subcommands } = await json('--help');
    const named = (long: string) => options.find((option: { long: string }) => option.long === long);
    expect(named('--output')).toMatchObject({
      short: '-o',
      default: 'table',
      choices: ['table', 'json', 'jsonl', 'yaml', 'csv', 'wide'],
      env: 'ORGCTL_OUTPUT',
    });
    expect(named('--timeout')).toMatchObject({ type: 'duration', default: '30s', env: 'ORGCTL_TIMEOUT' });
    expect(named('--retries')).toMatchObject({ type: 'number', default: '3' });
    expect(named('--quiet')).toMatchObject({ type: 'flag' });
    expect(subcommands).toContainEqual({ name: 'teams', summary: expect.any(String) });
    const update = await json('teams', 'update', '--help');
    expect(update.options).toContainEqual(expect.objectContaining({ long: '--name', required: true }));
    expect(update.arguments).toEqual([
      { name: 'id-or-name', description: expect.any(String), required: true, repeatable: true },
    ]);
    const shells = (await json('completion', '--help')).arguments[0].choices;
    expect(shells).toContain('fish');
  });

  it('of a group has its commands and no exit codes', async () => {
    const group = await json('connections', '--help');
    expect(group.subcommands).toContainEqual({ name: 'create', summary: expect.any(String) });
    expect(group).not.toHaveProperty('exitCodes');
  });

  it('answers a query, speaks YAML, and is for people otherwise', async () => {
    const asked = ['quotas', '--help', '--query', 'options[0].long', '-r'];
    expect(await runCli(asked)).toEqual({ code: 0, stdout: '--kind\n', stderr: '' });
    expect((await runCli(['quotas', '--help', '-o', 'yaml'])).stdout).toContain('command: orgctl quotas\n');
    const text = await runCli(['quotas', '--help']);
    expect(await runCli(['quotas', '--help', '-o', 'table'])).toEqual(text);
    expect(await runCli(['help', 'quotas', '-o', 'table'])).toEqual(text);
    // Nobody who set the variable for their scripts wants help to be one of them.
    const env = { ...emptyEnvironment(), ORGCTL_OUTPUT: 'json' };
    expect(await runCli(['quotas', '--help'], { env })).toEqual(text);
    expect(await runCli(['help', 'quotas'], { env })).toEqual(text);
  });

  it('refuses a query that is none', async () => {
    const ended = await runCli(['quotas', '--help', '--query', '[', '-o', 'json']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ code: 'usage' });
  });
});

describe('help --map', () => {
  it('has every command, in about 5,000 tokens as text', async () => {
    const { code, stdout } = await runCli(['help', '--map']);
    expect(code).toBe(0);
    const leaves = commands.filter(({ isLeaf }) => isLeaf).map(({ line }) => line);
    const listed = stdout
      .split('\n')
      .filter((line) => leaves.some((leaf) => `${line} `.startsWith(`${leaf} `)));
    expect(listed.length).toBeGreaterThanOrEqual(leaves.length);
    // Four characters a token is what is reckoned with for English.
    expect(stdout.length / 4).toBeLessThan(5_000);
    expect(stdout).toMatch(
      /^orgctl teams update <id-or-name\.\.\.> --name <name>\n {2}.*writes service.*exits .*11/m,
    );
  });

  it('has as JSON what --help has of each', async () => {
    const { commands: mapped, exitCodes } = await json('help', '--map');
    expect(mapped.map(({ command }: { command: string }) => command)).toEqual(
      commands.map(({ line }) => line),
    );
    expect(mapped.find(({ command }: { command: string }) => command === 'orgctl teams create')).toEqual(
      await json('teams', 'create', '--help'),
    );
    expect(exitCodes).toContainEqual({ exit: 13, code: 'threshold', when: expect.any(String) });
  });

  it('of one group has its commands alone', async () => {
    const { commands: mapped } = await json('help', '--map', 'teams');
    expect(mapped.map(({ command }: { command: string }) => command)[0]).toBe('orgctl teams');
    expect((await runCli(['help', '--map', 'teams'])).stdout).not.toContain('orgctl connections');
  });

  it.each([60, 80])('fits a terminal of %i columns', async (columns) => {
    const { stdout } = await runCli(['help', '--map'], { isTTY: true, columns });
    // Examples are there to be copied whole.
    const long = stdout.split('\n').filter((row) => row.length > columns && !row.startsWith('  orgctl '));
    expect(long).toEqual([]);
  });
});
