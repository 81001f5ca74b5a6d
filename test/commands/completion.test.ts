import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shellWords } from '../../src/commands/completion/line.js';
import { allCommands } from '../support/command-tree.js';
import { holdTimers } from '../support/hold-timers.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, runCli, temporaryDirectory, withProfileFile } from '../support/run-cli.js';
import { type Answer, scriptedService } from './support/scripted-service.js';

/** An environment with profiles: a current one, one more, and names that nobody could have given by `profile add`. */
function withProfiles() {
  const profile = { baseUrl: 'https://api.example.com', keyId: 'key_a', secret: 's' };
  const staging = { ...profile, baseUrl: 'https://s\t\n' };
  const profiles = { prod: profile, staging, '$(id)': profile, '-v': profile };
  return withProfileFile({ version: 1, current: 'prod', profiles });
}

async function answers(words: readonly string[], env = emptyEnvironment()): Promise<string[]> {
  const { code, stdout, stderr } = await runCli(['__complete', '--', ...words], { env });
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout.split('\n').slice(0, -1);
}

async function values(words: readonly string[], env?: Record<string, string>): Promise<string[]> {
  return (await answers(words, env)).map((line) => line.replace(/\t.*/, ''));
}

describe('what completes', () => {
  it.each<[line: string, values: string]>([
    ['c', 'connections completion'],
    ['connections ', 'list get create update delete'],
    ['-qo json api-keys ro', 'rotate'],
    ['-o ', 'table json jsonl yaml csv wide'],
    ['quotas --output=j', '--output=json --output=jsonl'],
    ['quotas --kind ', 'api-keys connections teams'],
    ['sign --format=c', '--format=curl'],
    ['request GET /', '/quotas /api-keys /connections /teams'],
    ['completion ', 'bash zsh fish powershell'],
    ['quotas --no-such ', ''],
    ['quotas -- -', ''],
    ['nonsense ', ''],
  ])('%j -> %j', async (line, expected) => {
    expect(await values(line.split(' '))).toEqual(expected === '' ? [] : expected.split(' '));
  });

  it.each(['--ca-file ', '--ca-file=/etc', 'serve --data ', 'connections create --file x', 'serve -- '])(
    '%j leaves files to the shell',
    async (line) => expect(await answers(line.split(' '))).toEqual([':files']),
  );

  it('are all commands and options that help shows, and no hidden one', async () => {
    for (const { words, command } of (await allCommands()).filter(({ hidden }) => !hidden)) {
      const help = command.createHelp();
      const commands = help.visibleCommands(command).map((child) => child.name());
      if (commands.length > 0) expect(await values([...words, ''])).toEqual(commands);
      const flags = help.visibleOptions(command).map(({ long }) => long);
      expect(await values([...words, '--'])).toEqual(flags);
    }
  });
});

describe('profile names', () => {
  it.each([
    '-p ',
    'quotas --profile ',
    'profile env ',
    'profile set ',
    'profile use ',
    'profile show ',
    'profile remove ',
    'profile rename ',
  ])('complete %j, and only what is a name', async (line) =>
    expect(await values(line.split(' '), withProfiles())).toEqual(['prod', 'staging']),
  );

  it('are none for a new profile, or with a file that cannot be read', async () => {
    expect(await values(['profile', 'add', ''], withProfiles())).toEqual([]);
    expect(await values(['profile', 'rename', 'prod', ''], withProfiles())).toEqual([]);
    const env = withProfileFile('{');
    expect(await values(['-p', ''], env)).toEqual([]);
    expect(readFileSync(join(env['ORGCTL_CONFIG_DIR'] ?? '', 'profiles.json'), 'utf8')).toBe('{');
  });
});

describe('a line as a shell has it', () => {
  it.each<[string, string[]]>([
    ['', ['']],
    ['orgctl ', ['orgctl', '']],
    ['orgctl  quotas -o\tj', ['orgctl', 'quotas', '-o', 'j']],
    [`orgctl --query 'a b' "c d"e f\\ g`, ['orgctl', '--query', 'a b', 'c de', 'f g']],
    [`orgctl "a\\"b" 'c"d' '`, ['orgctl', 'a"b', 'c"d', '']],
    [`orgctl 'open quote`, ['orgctl', 'open quote']],
    [`orgctl "open \\" quote`, ['orgctl', 'open " quote']],
    [`orgctl "" x\\`, ['orgctl', '', 'x']],
  ])('%j', (line, words) => {
    expect(shellWords(line)).toEqual(words);
  });
});

// completion-shells.test.ts runs it where PowerShell is; elsewhere a change of it has at least to be looked at.
it('completion has a script for PowerShell', async () => {
  const { stdout } = await runCli(['completion', 'powershell']);
  await expect(stdout).toMatchFileSnapshot('../golden/completion/orgctl.ps1');
});

describe('names and IDs of resources', () => {
  const listing = (names: readonly string[]) => () =>
    httpAnswer(
      200,
      Array.from(names, (name, at) => ({ id: `conn_${at}`, name })),
    );

  it('are asked for at each Tab', async () => {
    const names = ['app', 'db', '$(id)', 'a b'];
    const { env, peer } = await scriptedService({ 'GET /connections': listing(names) });
    const found = ['app', 'db', 'conn_0', 'conn_1', 'conn_2', 'conn_3'];
    for (const verb of ['get', 'update', 'delete'])
      expect(await values(['connections', verb, ''], env)).toEqual(found);
    expect(await answers(['connections', 'get', 'app', 'd'], env)).toEqual(['db\tconn_1']);
    expect(peer.requests).toHaveLength(4);
  });

  it('are no names that a command would take for the ID of another', async () => {
    const { env } = await scriptedService({ 'GET /connections': listing(['app', 'conn_0', 'conn_x']) });
    const found = ['app', 'conn_0', 'conn_1', 'conn_2'];
    expect(await values(['connections', 'delete', ''], env)).toEqual(found);
    expect(await answers(['connections', 'delete', 'conn_0'], env)).toEqual(['conn_0\tapp']);
  });

  it('are those of the profile that is typed', async () => {
    const one = await scriptedService({ 'GET /teams': listing(['one']) });
    const two = await scriptedService({ 'GET /teams': listing(['two']) });
    const profile = (peer: { origin: string }) => ({ baseUrl: peer.origin, keyId: 'key_a', secret: 's' });
    const profiles = { one: profile(one.peer), two: profile(two.peer) };
    const env = withProfileFile({ version: 1, current: 'one', profiles });
    for (const words of [['-p', 'two'], ['--profile=two'], ['--profile', 'two']]) {
      expect(await values([...words, 'teams', 'get', 't'], env)).toEqual(['two']);
      expect(await values(['teams', 'get', ...words, 't'], env)).toEqual(['two']);
    }
    expect(await values(['teams', 'get', 'o'], env)).toEqual(['one']);
  });

  it.each(['ORGCTL_KEY_ID', 'ORGCTL_BASE_URL'] as const)(
    'are not those that were kept for a profile once %s overrides it',
    async (variable) => {
      const answer: Answer = ({ nth }) => listing([nth === 0 ? 'one' : 'two'])();
      const { peer } = await scriptedService({ 'GET /teams': answer, 'GET /eu/teams': listing(['two']) });
      const own = { baseUrl: peer.origin, keyId: 'key_a', secret: 's' };
      const env = withProfileFile({ version: 1, current: 'one', profiles: { one: own } });
      expect(await values(['teams', 'get', 'o'], env)).toEqual(['one']);
      const others = { ORGCTL_KEY_ID: 'key_b', ORGCTL_BASE_URL: `${peer.origin}/eu` };
      const changed = { ...env, ORGCTL_SECRET: 's', [variable]: others[variable] };
      expect(await values(['teams', 'get', 't'], changed)).toEqual(['two']);
    },
  );

  it.each<[string, Answer]>([
    ['that refuses', () => httpAnswer(401, { statusCode: 401, message: 'Invalid API key' })],
    ['that talks nonsense', () => 'nonsense\r\n\r\n'],
  ])('are none of a service %s', async (_what, answer) => {
    const { env } = await scriptedService({ 'GET /api-keys': answer });
    expect(await values(['api-keys', 'disable', ''], env)).toEqual([]);
  });

  it('are none of a service that does not answer within a second', async () => {
    const { env, peer } = await scriptedService({ 'GET /api-keys': () => undefined });
    const passTime = holdTimers();
    const completed = values(['api-keys', 'disable', ''], env);
    await peer.received();
    passTime(1000);
    expect(await completed).toEqual([]);
  });

  it('are none without a service, and no secret command is run for them', async () => {
    expect(await values(['teams', 'get', ''])).toEqual([]);
    const touched = join(temporaryDirectory(), 'touched');
    const profile = { baseUrl: 'http://127.0.0.1:9', keyId: 'key_a', secretCommand: ['touch', touched] };
    const env = withProfileFile({ version: 1, current: 'a', profiles: { a: profile } });
    expect(await values(['teams', 'get', ''], env)).toEqual([]);
    expect(existsSync(touched)).toBe(false);
  });
});
