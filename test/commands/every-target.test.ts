import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type RunningServer, startServer } from '../../src/server/index.js';
import { hostilePeer } from '../support/hostile-peer.js';
import { emptyEnvironment, runCli, temporaryDirectory, withProfileFile } from '../support/run-cli.js';

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
