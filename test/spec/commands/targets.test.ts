import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../../src/server/index.js';
import { hostilePeer } from '../../support/hostile-peer.js';
import { errorOf, runCli, temporaryDirectory, withProfileFile } from '../../support/run-cli.js';

// Verbs of resources, of local and of maintenance: the transcripts.
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
    [{ pid: 2 ** 22 + 1 }, /no running server found in /],
    [{ token: 'other' }, /another server answers at /],
    [{ startedAt: '2030-01-01T00:00:00.000Z' }, /another server answers at /],
    [{ pid: process.ppid }, /another server answers at /],
    [{ control: `${stranger.origin}/_control` }, /another server answers at /],
    // The directory was copied while its server ran.
    [{}, /another server answers at /],
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
