import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { exitCodes } from '../../src/cli/exit.js';
import { knownMistakes } from '../../src/signing/index.js';
import { topics } from '../../src/verbs/help/topics.js';
import { allCommands } from '../support/command-tree.js';
import { emptyEnvironment, errorOf, runCli } from '../support/run-cli.js';

describe('help', () => {
  it('is what orgctl alone prints', async () => {
    const alone = await runCli([]);
    expect(alone).toMatchObject({ code: 0, stderr: '' });
    expect(alone.stdout).toContain('Usage: orgctl [options] <command>');
    expect(await runCli(['help'])).toEqual(alone);
    expect(await runCli(['--help'])).toEqual(alone);
  });

  it.each([[['quotas']], [['connections']], [['connections', 'create']], [['help']]])(
    'of %j is the help that the command prints',
    async (words) => {
      const help = await runCli(['help', ...words]);
      expect(help).toMatchObject({ code: 0, stderr: '' });
      expect(help.stdout).toContain(`Usage: orgctl ${words.join(' ')}`);
      expect(help).toEqual(await runCli([...words, '--help']));
    },
  );

  it.each([
    [['help', 'signin'], '"signin" is no command or topic', 'did you mean signing?'],
    [['help', 'exitcodes'], '"exitcodes" is no command or topic', 'did you mean exit-codes?'],
    [['help', 'conections'], '"conections" is no command or topic', 'did you mean connections?'],
    [['help', 'connections', 'lst'], '"lst" is no subcommand of orgctl connections', 'did you mean list?'],
    [
      ['help', 'quotas', 'all'],
      '"all" is no subcommand of orgctl quotas',
      'orgctl quotas has no subcommands',
    ],
    [['help', '__complet'], '"__complet" is no command or topic', 'did you mean completion?'],
    [['version'], "unknown command 'version'", 'orgctl --version'],
    [['connections', 'help'], "unknown command 'help'", 'orgctl connections --help'],
    [['quotas', '--json'], "unknown option '--json'", 'JSON is -o json'],
    [['connections', 'lst'], "unknown command 'lst'", 'did you mean list?'],
    [['conections', 'list'], "unknown command 'conections'", 'did you mean connections?'],
    [['quotas', '--fail-ovr', '9'], "unknown option '--fail-ovr'", 'did you mean --fail-over?'],
    [['quotas', '--ouput', 'json'], "unknown option '--ouput'", 'did you mean --output?'],
  ])('%j names the nearest word', async (args, message, hint) => {
    const ended = await runCli([...args, '-o', 'json']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(errorOf(ended)).toMatchObject({ code: 'usage', message, hint });
  });

  it('lists what there is where no word is near', async () => {
    const { code, stderr } = await runCli(['help', 'wxyzvuts']);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /one of quotas, connections, .*, exit-codes, environment, signing, files, query, durations, output, dialects\n$/,
    );
    expect(stderr).not.toContain('__complete');
  });

  it('of a group without subcommand is shown with an error, but not to programs', async () => {
    const { code, stdout, stderr } = await runCli(['connections']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    const help = await runCli(['connections', '--help']);
    expect(stderr).toBe(
      `${help.stdout}\nerror: orgctl connections: the subcommand is missing\n` +
        'hint: one of list, get, create, update, delete; more: orgctl connections --help\n',
    );
    const forPrograms = await runCli(['connections', '-o', 'json']);
    expect(errorOf(forPrograms)['message']).toBe('orgctl connections: the subcommand is missing');
  });
});

describe('on a terminal', () => {
  it('headings are bold where colour is on, and only there', async () => {
    const bold = '\u001b[1mOptions:\u001b[22m';
    const env = { ...emptyEnvironment(), TERM: 'xterm' };
    const help = async (args: string[], more: Record<string, string> = {}, columns = 80) =>
      (await runCli([...args, '--help'], { env: { ...env, ...more }, isTTY: true, columns })).stdout;
    expect(await help(['quotas'])).toContain(bold);
    expect(await help(['quotas'], {}, 200)).toContain(bold);
    expect(await help(['quotas', '--color', 'never'])).not.toContain('\u001b');
    expect(await help(['quotas'], { NO_COLOR: '1' })).not.toContain('\u001b');
    expect((await runCli(['quotas', '--help'])).stdout).not.toContain('\u001b');
    expect((await runCli(['quotas', '--color', 'always', '--help'])).stdout).toContain(bold);
  });

  it('commands come before options, and own options before the global ones', async () => {
    const { stdout } = await runCli(['--help']);
    const at = ['Run the service on this machine:', '\nOptions:', '\nGlobal options:', '\nExamples:'];
    expect(at.map((text) => stdout.indexOf(text))).toEqual(
      at.map((text) => stdout.indexOf(text)).toSorted((one, other) => one - other),
    );
    const { stdout: own } = await runCli(['connections', '--help']);
    expect(own.indexOf('\nCommands:')).toBeLessThan(own.indexOf('\nOptions:'));
    expect(own).toMatch(/\nGlobal options: orgctl --help\n$/);
  });

  it('every listed description is a verb phrase of less than 60 characters', async () => {
    for (const { command } of await allCommands()) {
      for (const child of command.commands) expect(child.summary()).toMatch(/^[a-z].{3,57}[^.]$/);
    }
  });
});

describe('topics', () => {
  it.each(topics.map(({ name }) => name))('%s fits narrow and wide terminals', async (name) => {
    for (const columns of [60, 80, 120]) {
      const { code, stdout } = await runCli(['help', name], { isTTY: true, columns });
      expect(code).toBe(0);
      // A signature and a secret of 64 characters cannot be broken.
      const long = stdout.split('\n').filter((row) => row.length > columns && !/[0-9a-f]{64}/.test(row));
      expect(long).toEqual([]);
    }
  });

  it('exit-codes are data too', async () => {
    const { stdout } = await runCli(['help', 'exit-codes', '-o', 'json']);
    const rows: { exit: number; code?: string; when: string }[] = JSON.parse(stdout);
    expect(rows.map(({ exit }) => exit)).toEqual([0, ...Object.values(exitCodes)]);
    expect(rows.map(({ code }) => code)).toEqual([undefined, ...Object.keys(exitCodes)]);
    expect(rows.every(({ when }) => when.length > 0)).toBe(true);
  });

  it('environment answers a query', async () => {
    const query = "[?variable=='ORGCTL_SECRET'].meaning | [0]";
    const { stdout } = await runCli(['help', 'environment', '--query', query]);
    expect(JSON.parse(stdout)).toBe('API key secret; there is no flag for it');
  });

  it('signing has an example that is right, and every known mistake', async () => {
    const { stdout } = await runCli(['help', 'signing', '-o', 'json']);
    const { example, mistakes } = JSON.parse(stdout);
    const signature = createHmac('sha256', example.secret).update(example.canonicalString).digest('hex');
    expect(example.headers['X-API-Signature']).toBe(signature);
    expect(mistakes).toEqual(knownMistakes);
    const text = (await runCli(['help', 'signing'])).stdout;
    for (const { id } of knownMistakes) expect(text).toContain(`  ${id} `);
    expect(text).toContain(`X-API-Signature: ${signature}`);
  });
});
