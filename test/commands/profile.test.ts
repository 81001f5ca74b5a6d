import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { MemorySystem } from '../support/memory-system.js';
import { emptyEnvironment, errorOf, runCli, startCli, withProfileFile } from '../support/run-cli.js';
import { useService } from '../support/service.js';

const service = useService({ http: false });
const secret = 's'.repeat(64);
const place = ['--base-url', 'https://api.example.com/v1', '--key-id', 'key_abc'];

/** The options of a profile of the real service. */
function here(): string[] {
  const { url, keyId, caFile } = service.server;
  return ['--base-url', url, '--key-id', keyId, '--ca-file', String(caFile)];
}

function addStored(env: Record<string, string | undefined>, name = 'prod', args: readonly string[] = []) {
  return runCli(['profile', 'add', name, ...place, '--secret-stdin', '--no-verify', ...args], {
    env,
    stdin: `${secret}\n`,
  });
}

it('profile commands list the names for an unknown one', async () => {
  const env = emptyEnvironment();
  await addStored(env);
  for (const line of [
    'use x',
    'show x',
    'env x',
    'remove x --yes',
    'rename x y',
    'set x --base-url https://x',
  ]) {
    const ended = await runCli(['profile', ...line.split(' '), '-o', 'json'], { env });
    const expected = {
      message: 'profile "x" not found',
      hint: 'existing profiles: prod; choose one with --profile NAME',
    };
    expect({ line, ...errorOf(ended) }).toMatchObject({ line, ...expected });
  }
  const byOption = await runCli(['whoami', '-p', 'x', '-o', 'json'], { env });
  expect(errorOf(byOption)).toMatchObject({
    hint: 'existing profiles: prod; choose one with --profile NAME',
  });
});

describe('profile add', () => {
  it('stores what is needed, for its owner alone, and shows no secret', async () => {
    const env = emptyEnvironment();
    const ended = await addStored(env);
    expect(ended.code).toBe(0);
    expect(ended.stdout + ended.stderr).not.toContain(secret);
    const path = join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(statSync(String(env['ORGCTL_CONFIG_DIR'])).mode & 0o777).toBe(0o700);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
      current: 'prod',
      profiles: { prod: { baseUrl: 'https://api.example.com/v1', keyId: 'key_abc', secret } },
    });
  });

  it.each([
    [['profile', 'add', 'prod', '--secret-stdin'], '--base-url, --key-id'],
    [['profile', 'add', 'no/name', ...place], 'not a profile name'],
    [['profile', 'add', 'prod', ...place], 'there is no terminal'],
    [['profile', 'add', 'prod', ...place, '--secret-env', 'NOT_SET'], 'NOT_SET'],
    [['profile', 'add', 'prod', ...place, '--secret-stdin', '--secret-command', 'x'], 'cannot be used with option'],
    [['profile', 'add', 'prod', ...place, '--secret-stdin', '--timeout', 'soon'], '--timeout'],
    [['profile', 'add', 'taken', ...place], 'already exists'],
    [['profile', 'add', 'prod', '--base-url', 'http://api.example.com', '--key-id', 'key_a'], 'https'],
  ])('refuses %j', async (args, message) => {
    const env = emptyEnvironment();
    await addStored(env, 'taken');
    const ended = await runCli(args, { env, stdin: secret });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(Object.keys(storedIn(env))).toEqual(['taken']);
  });

  it.each([
    ['system', /^system$/],
    ['./system', /^\/.*\/system$/],
  ])('keeps the word system as it is, and paths absolute: %s', async (caFile, kept) => {
    const env = emptyEnvironment();
    await addStored(env, 'prod', ['--ca-file', caFile]);
    expect(storedIn(env).prod.caFile).toMatch(kept);
  });

  it.each([
    'teams create --name x',
    'teams create --file -',
    'teams delete q1 --yes',
    'teams delete q1 q2 --yes',
    'connections update q1 q2 --host db',
    'api-keys create --name x',
    'api-keys rotate --yes',
  ])('refuses changes with a read-only profile, before anything is sent or printed: %s', async (line) => {
    const { server } = service;
    const env = emptyEnvironment();
    const args = ['profile', 'add', 'ro', ...here(), '--secret-stdin', '--read-only'];
    await runCli(args, { env, stdin: server.secret });
    expect((await runCli(['quotas'], { env })).code).toBe(0);
    const before = await server.control.journal.count({});
    const ended = await runCli([...line.split(' '), '-o', 'json'], { env, stdin: '{"name": "x"}' });
    expect(ended).toMatchObject({ code: 3, stdout: '' });
    expect(errorOf(ended)).toMatchObject({
      code: 'config',
      message: 'this profile is read-only; nothing was changed',
      hint: 'use another profile for changes: --profile NAME',
    });
    expect(await server.control.journal.count({})).toBe(before);
  });
});

describe('ORGCTL_READ_ONLY', () => {
  const reader = { baseUrl: 'https://api.example.com', keyId: 'key_a', secret, readOnly: true };
  const profiles = { reader, writer: { ...reader, readOnly: false } };
  const run = (line: string, ORGCTL_READ_ONLY: string) => {
    const env = { ...withProfileFile({ version: 1, current: 'writer', profiles }), ORGCTL_READ_ONLY };
    return runCli([...line.split(' '), '-o', 'json'], { env });
  };

  it.each(['teams create --name x', 'request DELETE /teams/1', 'teams delete team_1 --yes -p writer'])(
    'refuses changes, whatever the profile: %s',
    async (line) => {
      const ended = await run(line, '1');
      expect(ended).toMatchObject({ code: 3, stdout: '' });
      expect(errorOf(ended)).toMatchObject({
        message: 'ORGCTL_READ_ONLY is set; nothing was changed',
        hint: 'to allow changes: unset ORGCTL_READ_ONLY',
      });
    },
  );

  it.each([
    ['1', 'writer', true, 'ORGCTL_READ_ONLY'],
    ['0', 'writer', false, 'profile "writer"'],
    ['0', 'reader', true, 'profile "reader"'],
    ['', 'reader', true, 'profile "reader"'],
  ])('set to %j, with %s, is %s by %s', async (variable, name, value, source) => {
    const ended = await run(`whoami -p ${name}`, variable);
    const rows: readonly { setting: string }[] = JSON.parse(ended.stdout);
    expect(rows.find(({ setting }) => setting === 'read-only')).toMatchObject({ value, source });
  });

  it('with another value stops everything that it is for', async () => {
    const ended = await run('quotas', 'yes');
    expect(ended.code).toBe(3);
    expect(errorOf(ended)['message']).toBe('ORGCTL_READ_ONLY: "yes" is not 1 or 0');
  });
});

/** Answers the questions of a command, each once it is asked. */
async function answer(
  system: MemorySystem,
  dialogue: readonly (readonly [question: string, answer: string])[],
) {
  for (const [question, text] of dialogue) {
    await expect.poll(() => system.stderrText()).toContain(question);
    system.type(`${text}\r`);
  }
}

function storedIn(env: Record<string, string | undefined>) {
  return JSON.parse(readFileSync(join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json'), 'utf8')).profiles;
}

it('profile list shows on a narrow terminal which profile is current', async () => {
  const env = emptyEnvironment();
  await addStored(env);
  const ended = await runCli(['profile', 'list', '--color', 'never'], {
    env,
    isTTY: { stdout: true },
    columns: 42,
  });
  expect(ended.stdout).toMatch(/^CURRENT +NAME +BASE URL\n\* +prod +https:/);
});

describe('profile add on a terminal', () => {
  it('asks for all that is missing', async () => {
    const { server } = service;
    const env = { ...emptyEnvironment(), ORGCTL_CA_FILE: String(server.caFile) };
    const { system, ended } = startCli(['profile', 'add', '-o', 'json'], { env, isTTY: true });
    await answer(system, [
      ['Name of the profile:', 'here'],
      ['Address of the service:', server.url],
      ['API key ID:', server.keyId],
      ['API key secret', server.secret],
    ]);
    const { code, stderr, stdout } = await ended;
    expect({ code, secret: (stdout + stderr).includes(server.secret) }).toEqual({ code: 0, secret: false });
    const { url: baseUrl, keyId, secret: stored, caFile } = server;
    expect(storedIn(env)).toEqual({ here: { baseUrl, keyId, secret: stored, caFile } });
  });

  it('asks again for a key ID that may be the secret', async () => {
    const { server } = service;
    const env = { ...emptyEnvironment(), ORGCTL_CA_FILE: String(server.caFile) };
    const args = ['profile', 'add', 'here', '--base-url', server.url, '-o', 'json'];
    const { system, ended } = startCli(args, { env, isTTY: true });
    await answer(system, [
      ['API key ID:', secret],
      ['has the form of a secret', `"${server.keyId}"`],
      ['without spaces, quotes or colons', server.keyId],
      ['API key secret', server.secret],
    ]);
    const { code, stderr } = await ended;
    expect({ code, stored: storedIn(env).here.secret }).toEqual({ code: 0, stored: server.secret });
    expect(stderr).not.toContain(server.secret);
  });

  it('asks again for a secret that was copied with its quotes', async () => {
    const { server } = service;
    const env = emptyEnvironment();
    const { system, ended } = startCli(['profile', 'add', 'here', ...here()], { env, isTTY: true });
    await answer(system, [
      ['API key secret', `"${server.secret}"`],
      ['the secret includes quotes', server.secret],
    ]);
    expect(await ended).toMatchObject({ code: 0, stderr: expect.not.stringContaining(server.secret) });
  });

  it('stores nothing when the service refuses what was typed, or cannot be reached', async () => {
    for (const [place, code, hint] of [
      [here(), 4, 'check address, key ID and secret for https://'],
      [
        ['--base-url', 'https://nothing.invalid', '--key-id', 'key_a'],
        9,
        'check address, key ID and secret for https://nothing.',
      ],
    ] as const) {
      const env = emptyEnvironment();
      const { system, ended } = startCli(['profile', 'add', 'x', ...place], { env, isTTY: true });
      await answer(system, [['API key secret', 'mistyped-1']]);
      const { stderr, ...end } = await ended;
      expect({ code: end.code, stderr }).toEqual({ code, stderr: expect.stringContaining(hint) });
      expect(stderr).toContain('or store them unchecked with --no-verify');
      // No retry mends an unknown host.
      expect(stderr).not.toMatch(/retrying|mistyped/);
      expect((await runCli(['profile', 'list', '-o', 'json'], { env })).stdout.trim()).toBe('[]');
    }
  });
});

it('profile add names a CA file that cannot be read', async () => {
  const args = ['profile', 'add', 'x', ...place, '--ca-file', '/nope.pem', '--secret-stdin'];
  const ended = await runCli(args, { env: emptyEnvironment(), stdin: secret });
  const stderr = expect.stringContaining('hint: check the CA file\n');
  expect(ended).toMatchObject({ code: 3, stderr });
});

describe('profile set', () => {
  it('of what the service does not see needs no service', async () => {
    const env = emptyEnvironment();
    const set = (...args: string[]) => runCli(['profile', 'set', 'prod', ...args], { env });
    await addStored(env, 'prod', ['--base-url', 'http://127.0.0.1:9', '--retries', '0']);
    const seen = ['--default-output', 'json', '--timeout', '10s', '--read-only'];
    expect(await set(...seen)).toMatchObject({ code: 0, stderr: '' });
    const other = await set(...seen, '--auth', 'basic');
    expect(other).toMatchObject({ code: 9, stderr: expect.stringContaining('nothing was stored') });
  });

  it('makes a profile of serve with another secret the user’s own, and says when serve overwrites it', async () => {
    const own = { baseUrl: 'http://127.0.0.1:9', keyId: 'key_a', secret };
    const local = { ...own, managedBy: 'serve', data: '/d' };
    const env = { ...withProfileFile({ version: 1, profiles: { local } }), S: 't'.repeat(64) };
    const set = async (line: string) =>
      (await runCli(`profile set local ${line}`.split(' '), { env })).stderr;
    expect(await set('--timeout 9s')).toBe('profile "local" is overwritten when serve starts next\n');
    expect(storedIn(env).local).toEqual({ ...local, timeout: '9s' });
    const stderr = 'profile "local" is your own now\n';
    expect(await set('--secret-env S --no-verify')).toBe(stderr);
    expect(storedIn(env).local).toEqual({ ...own, secret: env.S, timeout: '9s' });
  });

  it('sets the default output, before ORGCTL_OUTPUT only for a profile that -p names, and removes it', async () => {
    const env = { ...emptyEnvironment(), ORGCTL_OUTPUT: 'csv' };
    await addStored(env);
    const list = async (...args: string[]) => (await runCli(['whoami', ...args], { env })).stdout.slice(0, 7);
    await runCli(['profile', 'set', 'prod', '--default-output', 'yaml'], { env });
    expect([await list(), await list('-p', 'prod')]).toEqual(['setting', '- setti']);
    await runCli(['profile', 'set', 'prod', '--default-output', 'none'], { env });
    expect([await list('-p', 'prod'), storedIn(env).prod.output]).toEqual(['setting', undefined]);
  });

  it.each([
    ['another key', ['--key-id', 'key_other'], 'input needed, but there is no terminal: API key secret'],
    [
      'another key',
      ['--key-id', 'key_other'],
      'key_abc only: use --secret-stdin, --secret-env VAR or --secret-command COMMAND',
    ],
    [
      'another origin',
      ['--base-url', 'https://elsewhere.example.com'],
      'is for https://api.example.com/v1 only; keep it with --allow-host, or give another: use --secret-stdin',
    ],
    ['a format', ['--output', 'csv'], 'nothing to change'],
    ['another key in the keyring', ['--ask-secret', '--keyring'], 'use --secret-stdin or --secret-env VAR\n'],
    [
      'another origin',
      ['--base-url', 'https://elsewhere.example.com'],
      'input needed, but there is no terminal: API key secret',
    ],
    ['nothing', [], 'nothing to change'],
    ['another format', ['--default-output', 'jsn'], 'jsn'],
    [
      'an empty secret command',
      ['--secret-command', '', '--no-verify'],
      '--secret-command: the command is empty',
    ],
    ['two secrets', ['--ask-secret', '--secret-stdin'], 'cannot be used with option'],
  ])('of %s needs what belongs to it', async (_what, args, message) => {
    const env = emptyEnvironment();
    await addStored(env);
    const before = storedIn(env);
    const ended = await runCli(['profile', 'set', 'prod', ...args], { env });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining(message) });
    expect(storedIn(env)).toEqual(before);
  });

  it.each([
    ['--secret-stdin', ''],
    ['--secret-stdin', '\n'],
    ['--secret-env EMPTY', ''],
  ])('and add take no empty secret: %s %j', async (source, stdin) => {
    const env = { ...emptyEnvironment(), EMPTY: '' };
    await addStored(env);
    const before = storedIn(env);
    for (const command of [`set prod ${source}`, `add other ${place.join(' ')} ${source}`]) {
      const ended = await runCli(['profile', ...command.split(' '), '--no-verify'], { env, stdin });
      expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('the secret is empty') });
    }
    expect(storedIn(env)).toEqual(before);
  });

  it.each(['a secret', 'a secret command'])('of %s to the keyring needs the secret', async (which) => {
    const env = emptyEnvironment();
    if (which === 'a secret') await addStored(env);
    else await runCli(['profile', 'add', 'prod', ...place, '--secret-command', 'x', '--no-verify'], { env });
    const before = storedIn(env);
    const ended = await runCli(['profile', 'set', 'prod', '--keyring', '--no-verify'], { env });
    expect(ended).toMatchObject({ code: 2, stderr: expect.stringContaining('input needed') });
    expect(storedIn(env)).toEqual(before);
  });

  it('needs --yes without a terminal, but not where only a command is stored', async () => {
    const env = emptyEnvironment();
    await addStored(env);
    expect((await runCli(['profile', 'remove', 'prod'], { env })).code).toBe(2);
    await runCli(['profile', 'add', 'b', ...place, '--secret-command', 'x', '--no-verify'], { env });
    expect((await runCli(['profile', 'remove', 'b'], { env })).code).toBe(0);
  });
});

it.each([
  ['n', 130, 'nothing was removed', true],
  ['y', 0, 'profile "prod" removed', false],
])('profile remove asks when a secret goes with it: %j', async (reply, code, message, stays) => {
  const env = emptyEnvironment();
  await addStored(env);
  const ended = await runCli(['profile', 'remove', 'prod'], { env, isTTY: true, stdin: `${reply}\r` });
  expect(ended).toMatchObject({ code, stderr: expect.stringContaining(message) });
  expect('prod' in storedIn(env)).toBe(stays);
});
