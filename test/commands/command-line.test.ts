import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { Command } from '@commander-js/extra-typings';
import { describe, expect, it } from 'vitest';
import { globalFlags, readGlobalFlags } from '../../src/cli/global-options.js';
import { hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { memorySystem } from '../support/memory-system.js';
import { emptyEnvironment, errorOf, runCli, runMain, startCli, withProfileFile } from '../support/run-cli.js';

const secret = '0123456789abcdef'.repeat(4);
const environment = () => ({
  ...emptyEnvironment(),
  ORGCTL_BASE_URL: 'https://api.example.com',
  ORGCTL_KEY_ID: 'key_a',
  ORGCTL_SECRET: secret,
});

describe('global options', () => {
  it.each([
    [['-o', 'json', 'profile', 'list']],
    [['profile', 'list', '-o', 'json']],
    [['-o', 'csv', 'profile', '-o', 'yaml', 'list', '-o', 'json']],
    [['-qo', 'json', 'profile', 'list']],
  ])('are accepted anywhere: %j', async (args) => {
    expect(await runCli(args)).toEqual({ code: 0, stdout: '[]\n', stderr: '' });
  });

  it('come together from before and after the subcommand', async () => {
    const env = { ...emptyEnvironment(), ORGCTL_PROFILE: 'other' };
    const line = '-p prod whoami --base-url https://one.example --timeout 1s -o json';
    const error = { code: 'config', message: expect.stringContaining('"prod"') };
    expect(errorOf(await runCli(line.split(' '), { env }))).toMatchObject(error);
    const twice = '--base-url https://one.example whoami --base-url https://two.example --query [1].value';
    expect((await runCli(twice.split(' '))).stdout).toBe('"https://two.example"\n');
  });

  it('take values that begin with a dash', async () => {
    const ended = await runCli(['--query', '-x', 'whoami', '--columns=-a,-b', '-ocsv']);
    expect(ended.stderr).toContain('--query "-x"');
    const columns = await runCli(['profile', 'list', '-o', 'csv', '--columns', '-a']);
    expect(columns).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown column "-a"') });
  });

  it('are not found in the value of a command’s own option, nor after --', async () => {
    const sign = ['sign', 'POST', '/x', '-d', '-ojson', '--format', 'headers'];
    expect((await runCli(sign, { env: environment() })).stdout).toMatch(/^X-API-Key: key_a\n/);
    const { stderr } = await runCli(['profile', 'show', '--', '-o']);
    expect(stderr).toMatch(/^error: profile "-o" not found/);
  });

  it('leave a like-named option of a command alone', () => {
    // serve has --no-profile, whose value is no profile's name.
    const serve = new Command().option('--no-profile').option('--retries');
    serve.parse(['--no-profile', '--retries'], { from: 'user' });
    expect(globalFlags(serve)).toMatchObject({ profile: undefined, retries: undefined });
  });
});

describe('errors', () => {
  it('are two lines for people, and coloured on a terminal alone', async () => {
    expect(await runCli(['quotas'])).toEqual({
      code: 3,
      stdout: '',
      stderr: expect.stringMatching(/^error: no base URL .*\nhint: add a profile: orgctl profile add.*\n$/),
    });
    const onTerminal = await runCli(['quotas'], { isTTY: true, env: emptyEnvironment() });
    expect(onTerminal.stderr.startsWith('\u001b[1m\u001b[31merror:')).toBe(true);
  });

  it.each<[string, string, number]>([
    ['an unknown option', 'quotas --nope -o json', 2],
    ['no command', '-o json', 2],
    ['a missing argument', 'sign GET -o json', 2],
    ['a missing profile', 'quotas -o json -p none', 3],
    ['the environment', 'quotas --nope', 2],
  ])('are one JSON line for scripts: %s', async (what, line, exitCode) => {
    const env = { ...emptyEnvironment(), ...(what === 'the environment' && { ORGCTL_OUTPUT: 'json' }) };
    const ended = await runCli(line.split(' '), { env });
    const stderr = expect.stringMatching(/^\{"error":.*\}\n$/);
    expect(ended).toMatchObject({ code: exitCode, stdout: '', stderr });
    expect(errorOf(ended)).toMatchObject({ exitCode, message: expect.any(String), hint: expect.any(String) });
  });

  it('about the output format itself are text', async () => {
    const ended = await runCli(['profile', 'list', '-o', 'xml']);
    expect(ended).toMatchObject({ code: 2, stdout: '' });
    expect(ended.stderr).toMatch(/^error: --output: "xml" is not one of table, json/);
  });

  it('of the parser show the way to the right help', async () => {
    const hintOf = async (...args: string[]) => errorOf(await runCli([...args, '-o', 'json']))['hint'];
    expect(await hintOf('profile', 'use')).toBe(
      'usage: orgctl profile use [options] <name>; more: orgctl profile use --help',
    );
    expect(await hintOf('--xyzxyz')).toBe('usage: orgctl [options] <command>; more: orgctl --help');
    expect(await hintOf('profile')).toContain('one of add, set, list, show');
    expect(await hintOf('profile', 'qqqqqq')).toContain('one of add, set, list, show');
  });

  it.each(['--secret=hunter2', '--secret hunter2', '--password=hunter2'])(
    'for %s do not repeat the secret',
    async (words) => {
      const ended = await runCli(['profile', 'add', 'x', ...words.split(' ')]);
      expect(ended).toMatchObject({ code: 2, stdout: '', stderr: expect.not.stringContaining('hunter2') });
    },
  );

  it('with the text of others in them are clean', async () => {
    const peer = await hostilePeer(({ target }) =>
      /^\/teams(\?|$)/.test(target)
        ? httpAnswer(200, [{ id: 'team_1' }, { id: 'team_2' }])
        : httpAnswer(400, { message: 'a\u001b[2J\u202eb\nc' }),
    );
    const env = { ...environment(), ORGCTL_BASE_URL: peer.origin };
    const { stderr } = await runCli(['quotas'], { env });
    expect(stderr).toMatch(/^error: a\\u\{1b\}\[2J\\u\{202e\}b\\nc\n/);
    const two = await runCli(['teams', 'get', 'team_1', 'team_2'], { env });
    expect(two.stderr).toContain('\n  team_2: a\\u{1b}[2J\\u{202e}b\\nc\n');
    const json = await runCli(['quotas', '-o', 'json'], { env });
    expect(json.stderr).not.toContain('\u202e');
    expect(errorOf(json)['message']).toBe('a\u001b[2J\u202eb\nc');
  });
});

describe('a bug in orgctl', () => {
  /** Runs in a process whose environment breaks when a variable is looked up: nothing expects that. */
  async function broken(...args: string[]) {
    const fault = new TypeError(`no such thing\u001b[2J`, { cause: new RangeError('out of it') });
    const env = new Proxy(emptyEnvironment(), {
      get(target, name) {
        if (name === 'ORGCTL_BASE_URL') throw fault;
        return Reflect.get(target, name);
      },
    });
    const system = memorySystem({ env, argv: args });
    const code = await runMain(system);
    return { code, stdout: system.stdoutText(), stderr: system.stderrText() };
  }

  it('exits 1 and says how to report it, and with --verbose alone where it came from', async () => {
    const ended = await broken('quotas');
    expect(ended).toMatchObject({ code: 1, stdout: '' });
    expect(ended.stderr).toMatch(
      /^error: internal error: no such thing\\u\{1b\}\[2J\nhint: .*report.*--verbose.*\n$/,
    );
    const { stderr } = await broken('quotas', '-v');
    expect(stderr).toMatch(/^TypeError: no such thing\\u\{1b\}\[2J\n {4}at /);
    expect(stderr).toMatch(/\ncaused by RangeError: out of it\n {4}at /);
    expect(stderr).toMatch(/\nerror: internal error: .*\nhint: .*\n$/);
  });

  it.each([[[]], [['-v']]])('ends with a JSON line for scripts, also with %j', async (flags) => {
    const { code, stderr } = await broken('quotas', '-o', 'json', ...flags);
    const line = stderr.trimEnd().split('\n').at(-1) ?? '';
    expect([code, JSON.parse(line)]).toMatchObject([1, { error: { code: 'internal', exitCode: 1 } }]);
  });
});

it.each(['profile list', 'nonsense', '--help'])(
  'a config file that others can read is reported by %s',
  async (line) => {
    const env = withProfileFile({ version: 1, profiles: {} });
    const path = join(env['ORGCTL_CONFIG_DIR'] ?? '', 'profiles.json');
    chmodSync(path, 0o644);
    const { stderr } = await runCli([...line.split(' '), '-q'], { env });
    expect(stderr).toContain(`warning: ${path} is accessible to other users (mode 644)`);
    expect(stderr).toContain(`chmod 600 '${path}'`);
    chmodSync(path, 0o600);
    expect((await runCli(line.split(' '), { env })).stderr).not.toContain('warning');
  },
);

it.each([
  ['SIGINT', 130, 'interrupted'],
  ['SIGTERM', 143, 'terminated'],
] as const)(
  'signals %s ends a waiting command with %i, and is no longer listened for',
  async (signal, code, word) => {
    const peer = await hostilePeer(() => undefined);
    const env = { ...environment(), ORGCTL_BASE_URL: peer.origin };
    const { system, ended } = startCli(['request', 'GET', '/x', '-o', 'json'], { env });
    await peer.received();
    expect(system.raise(signal)).toBe(true);
    const result = await ended;
    expect(result).toMatchObject({ code, stdout: '' });
    expect(errorOf(result)).toMatchObject({ code: word, exitCode: code });
    expect(system.listenerCount('SIGINT') + system.listenerCount('SIGTERM')).toBe(0);
  },
);

it.each([
  [['x', '--nope', '-o', 'json'], { output: 'json' }],
  [['-o', 'json', '-p'], { output: 'json' }],
  [['-vq'], { verbose: true, quiet: true }],
])('global options of a line that cannot be parsed %j', (args, flags) => {
  expect(readGlobalFlags(args)).toMatchObject(flags);
});

it.each([
  [true, [], /^error: /],
  [false, [], /^\{"error"/],
  [true, ['-o', 'json'], /^\{"error"/],
])('JSON that --query implies is not for errors on a terminal (%s, %j)', async (isTTY, more, text) => {
  const args = ['quotas', '--query', 'teams', '-p', 'none', '--color', 'never', ...more];
  expect((await runCli(args, { isTTY })).stderr).toMatch(text);
});

it.each([
  'quotas',
  'whoami',
  'doctor',
  'profile list',
  'profile add prod --base-url https://127.0.0.1 --key-id key_a',
  'profile set prod --read-only',
  'local keys list',
  'local keys disable key_a',
  'local clock set 2030-01-01T00:00:00Z',
  'serve check',
  'serve backup /dev/null/x',
])('refuses a column that %s never has before anything is sent', async (line) => {
  // There is no service to ask.
  const ended = await runCli([...line.split(' '), '--columns', 'nope']);
  expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('unknown column "nope"') });
});
