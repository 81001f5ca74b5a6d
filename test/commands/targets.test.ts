import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { hostilePeer } from '../support/hostile-peer.js';
import {
  emptyEnvironment,
  errorOf,
  runCli,
  temporaryDirectory,
  withProfileFile,
} from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { apply, listed, organization } from './support/organization.js';

// A verb that takes a target acts on that one and on no other.

describe('each verb of orgctl local acts on the server of --data, and on none that the environment names', () => {
  let server: RunningServer;
  const data = temporaryDirectory();
  const start = () =>
    startServer({ data, http: true, console: true, requestStop: () => void server.close() });
  beforeAll(async () => {
    server = await start();
  });
  beforeEach(() => server.control.reset());
  afterAll(() => server.close());

  const rows: Record<string, () => readonly string[] | Promise<readonly string[]>> = {
    key: () => ['--yes'],
    wait: () => ['--deadline', '5s'],
    'keys enable': () => [server.keyId],
    'keys disable': () => [server.keyId],
    'keys revoke': () => [server.keyId, '--yes'],
    'clock set': () => ['2030-01-01T00:00:00Z'],
    'clock advance': () => ['1m'],
    'faults set': () => ['GET /teams=503'],
    'stubs set': () => ['GET /teams=200 []'],
    'rate-limit set': () => ['9/1m'],
    'quotas set': () => ['teams=3'],
    restore: async () => [await server.control.snapshot(), '--yes'],
    reset: () => ['--yes'],
  };
  const withoutArguments = [
    ...['status', 'console', 'logs', 'stop', 'snapshot', 'snapshot list', 'keys list', 'keys issue'],
    ...['clock show', 'clock reset', 'faults list', 'faults clear', 'stubs list', 'stubs clear'],
    ...['rate-limit show', 'rate-limit clear'],
  ];
  const verbs = [...Object.keys(rows), ...withoutArguments];

  it.each(verbs)('%s', async (verb) => {
    const named = await hostilePeer((_request, socket) => socket.destroy());
    const env = {
      ...emptyEnvironment(),
      ORGCTL_CONTROL_URL: `http://127.0.0.1:${named.port}/_control`,
      ORGCTL_CONTROL_TOKEN: 'x',
    };
    const args = ['local', ...verb.split(' '), ...((await rows[verb]?.()) ?? []), '--data', data];
    const { code, stderr } = await runCli(args, { env });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(named.connections).toBe(0);
    if (verb === 'stop') server = await start();
  });
});

describe('each verb of maintenance works on the directory of --data, and makes no other', () => {
  const rows: Record<string, (backup: string) => readonly string[]> = {
    'serve check': () => [],
    'serve backup': (backup) => [`${backup}.other`],
    'serve restore': (backup) => [backup, '--force'],
    'serve rotate-master-key': () => [],
  };

  it.each(Object.entries(rows))('%s', async (verb, args) => {
    const data = join(temporaryDirectory(), 'data');
    await (await startServer({ data, http: true })).close();
    const env = emptyEnvironment();
    const backup = join(temporaryDirectory(), 'backup');
    const run = (...words: string[]) => runCli([...words, '--data', data], { env });
    expect(await run('serve', 'backup', backup)).toMatchObject({ code: 0 });
    expect(await run(...verb.split(' '), ...args(backup))).toMatchObject({ code: 0 });
    expect(existsSync(String(env['XDG_DATA_HOME']))).toBe(false);
  });
});

describe('each verb of profiles changes the one that is named, and no other', () => {
  const of = (name: string) => ({ baseUrl: 'https://api.example.com', keyId: `key_${name}`, secret: name });
  const before = { version: 1, current: 'a', profiles: { a: of('a'), b: of('b'), c: of('c') } };
  const { a, b, c } = before.profiles;

  const added = 'd --base-url https://api.example.com --key-id key_d --secret-stdin --no-verify';

  const rows: Record<string, [args: string, current: string, profiles: object, out?: string]> = {
    'profile add': [added, 'a', { a, b, c, d: of('d') }],
    'profile set': ['b --read-only --no-verify', 'a', { a, b: { ...b, readOnly: true }, c }],
    'profile show': ['b', 'a', { a, b, c }, 'key_b'],
    'profile env': ['b --yes', 'a', { a, b, c }, 'key_b'],
    'profile use': ['b', 'b', { a, b, c }],
    'profile rename': ['b d', 'a', { a, d: b, c }],
    'profile remove': ['b --yes', 'a', { a, c }],
  };

  it.each(Object.entries(rows))('%s', async (verb, [args, current, profiles, out = '']) => {
    const env = withProfileFile(before);
    const { code, stdout, stderr } = await runCli(`${verb} ${args}`.split(' '), { env, stdin: 'd\n' });
    expect({ code, stderr }).toMatchObject({ code: 0 });
    expect(stdout).toContain(out);
    expect(stdout).not.toMatch(/key_[ac]/);
    const path = join(String(env['ORGCTL_CONFIG_DIR']), 'profiles.json');
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ version: 1, current, profiles });
  });
});

const keysOf = (name: string) =>
  ['first', 'second', 'third'].map((nth) => ({ id: `key_${name}${nth}`, name: nth }));
const service = useService({
  seed: {
    organizations: [
      { id: 'org_one', name: 'One', keys: keysOf('one') },
      { id: 'org_two', name: 'Two', keys: keysOf('two') },
      { id: 'org_three', name: 'Three', keys: keysOf('three') },
    ],
  },
});
beforeEach(() => service.server.control.reset());

async function local(line: string) {
  const { url, controlToken } = service.server;
  const own = { ORGCTL_CONTROL_URL: `${url}/_control`, ORGCTL_CONTROL_TOKEN: controlToken };
  const ended = await runCli(['local', ...line.split(' ')], { env: service.environment(own) });
  expect({ line, code: ended.code, stderr: ended.stderr }).toMatchObject({ line, code: 0 });
  return ended.stdout;
}

/** What the local verbs change, in lines: each key, and each organization's quotas. */
async function state(): Promise<string[]> {
  const { control } = service.server;
  const keys = await control.keys.list();
  return [
    ...keys.map(({ organization, name, enabled }) => `${organization} ${name} ${enabled ? 'on' : 'off'}`),
    ...(await control.organizations.list()).map(({ id, quotas }) => `${id} teams ${quotas['teams']?.limit}`),
  ];
}

/** The lines that are gone, and those that are new. */
async function changesBy(act: () => Promise<unknown>): Promise<{ gone: string[]; made: string[] }> {
  const before = await state();
  await act();
  const after = await state();
  return {
    gone: before.filter((line) => !after.includes(line)),
    made: after.filter((line) => !before.includes(line)),
  };
}

describe('orgctl local', () => {
  it.each([
    ['keys issue --organization org_two --name ci', [], ['org_two ci on']],
    ['keys issue --name ci', [], ['org_one ci on']],
    ['keys disable key_twosecond', ['org_two second on'], ['org_two second off']],
    ['keys revoke key_twosecond --yes', ['org_two second on'], []],
    ['quotas set teams=3 --organization org_two', ['org_two teams 20'], ['org_two teams 3']],
    ['quotas set teams=3', ['org_one teams 20'], ['org_one teams 3']],
  ])('%s changes nothing else', async (line, gone, made) => {
    expect(await changesBy(() => local(line))).toEqual({ gone, made });
  });
});

describe('a verb of a resource', () => {
  const names = ['first', 'second', 'third'];
  const kinds = [
    ['teams', { teams: names.map((name) => ({ name })) }],
    ['connections', { connections: names.map((name) => ({ name, type: 'redis', config: {} })) }],
    ['api-keys', {}],
  ] as const;

  const shown = async (kind: string) =>
    (await listed(kind, service.environment())).map(
      ({ name, enabled }) => `${name}${enabled === false ? ' off' : ''}`,
    );
  const run = async (...args: string[]) => {
    const ended = await runCli(args, { env: service.environment() });
    expect(ended).toMatchObject({ code: 0 });
    return ended.stdout;
  };

  it.each(kinds)(
    '%s get, update and delete act on the one that is named, by name or ID',
    async (kind, file) => {
      const env = service.environment();
      await apply(organization(file), env);
      expect(await shown(kind)).toEqual(names);
      const ids = (await listed(kind, env)).map(({ id }) => String(id));
      expect(JSON.parse(await run(kind, 'get', 'second', '-o', 'json'))).toMatchObject({ id: ids[1] });
      const third = await run(kind, 'get', String(ids[2]), '-o', 'json');
      expect(JSON.parse(third)).toMatchObject({ name: 'third' });
      await run(kind, 'update', 'second', '--name', 'other');
      expect(await shown(kind)).toEqual(['first', 'other', 'third']);
      await run(kind, 'delete', String(ids[1]), '--yes');
      expect(await shown(kind)).toEqual(['first', 'third']);
      await run(kind, 'delete', 'third', '--yes');
      expect(await shown(kind)).toEqual(['first']);
    },
  );

  it('api-keys disable disables no other key', async () => {
    await run('api-keys', 'disable', 'second', '--yes');
    expect(await shown('api-keys')).toEqual(['first', 'second off', 'third']);
  });
});

it('what orgctl local finds is no server that is gone, and no other in its place', async () => {
  const data = temporaryDirectory();
  await using found = await startServer({ data, http: true });
  const file = JSON.parse(readFileSync(join(data, 'server.json'), 'utf8'));
  const free = await startServer({ http: true });
  await free.close();
  const body = '{"anything":"goes"}';
  const stranger = await hostilePeer(
    () => `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  const { id } = await found.control.keys.issue({ name: 'kept' });
  const stale: [object, RegExp][] = [
    [{ pid: 2 ** 22 + 1 }, /is no longer running$/],
    [{ token: 'other' }, /another server answers at /],
    [{ startedAt: '2030-01-01T00:00:00.000Z' }, /another server answers at /],
    [{ pid: process.ppid }, /another server answers at /],
    [{ control: `${stranger.origin}/_control` }, /another server answers at /],
    // The directory was copied while its server ran.
    [{}, new RegExp(`runs on ${data}$`)],
    [{ control: `${free.url}/_control` }, /nothing answers at http:\/\/127/],
    [{ pid: 'x' }, /no running server found in /],
  ];
  for (const [change, message] of stale) {
    const other = temporaryDirectory();
    writeFileSync(join(other, 'server.json'), JSON.stringify({ ...file, ...change }), { mode: 0o600 });
    const ended = await runCli(['local', 'status', '--data', other, '-o', 'json']);
    expect(ended.code).toBe(3);
    expect(errorOf(ended)).toMatchObject({ code: 'config', message: expect.stringMatching(message) });
    expect((await runCli(['local', 'reset', '--yes', '--data', other])).code).toBe(3);
  }
  expect(await found.control.keys.list()).toContainEqual(expect.objectContaining({ id }));
  const none = await runCli(['local', 'status', '-o', 'json']);
  expect(errorOf(none)).toMatchObject({ code: 'config', hint: expect.stringContaining('orgctl serve') });
});
