import { chmodSync } from 'node:fs';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { headerOf, hostilePeer, httpAnswer } from '../support/hostile-peer.js';
import { emptyEnvironment, errorOf, runCli, withProfileFile } from '../support/run-cli.js';
import { serviceEnvironment, useService } from '../support/service.js';
import { type Environment, environmentOf, examine } from './support/doctor.js';

const service = useService({ http: false });
const secret = 'a'.repeat(64);
const record = {
  data: [{ teams: { limit: 1, used: 0, remaining: 1 } }],
  total: 1,
  page: 1,
  limit: 20,
  pages: 1,
};
const wrongSecret = { ORGCTL_SECRET: 'f'.repeat(64) };

/** An environment whose current profile is this one. */
const withProfile = (profile: object, name = 'prod') =>
  withProfileFile({
    ...{ version: 1, current: name },
    profiles: { [name]: { baseUrl: 'https://127.0.0.1:1', keyId: 'key_a', ...profile } },
  });

describe('doctor', () => {
  it('finds nothing wrong with a good service', async () => {
    const { ended, results } = await examine(service.environment());
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(results).toEqual({
      files: 'skipped',
      profile: 'ok',
      secret: 'ok',
      dns: 'skipped',
      proxy: 'skipped',
      connection: 'ok',
      tls: 'ok',
      clock: 'ok',
      authentication: 'ok',
    });
  });

  it('sends one GET /quotas and nothing else, also over plain HTTP to this machine', async () => {
    const peer = await hostilePeer(() => httpAnswer(200, record));
    const { ended, results } = await examine(environmentOf(`${peer.origin}/base`));
    expect([ended.code, results]).toMatchObject([
      0,
      { connection: 'ok', tls: 'skipped', authentication: 'ok' },
    ]);
    expect(peer.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(['GET /base/quotas']);
  });
});

it.each([{ teams: { max: 5, current: 1 } }, { data: [{ teams: { limit: 'a' } }] }, 'hello'])(
  'a key is accepted, and stored in a profile, also if the quotas have an unknown form: %j',
  async (body) => {
    const peer = await hostilePeer(() => httpAnswer(200, JSON.stringify(body)));
    const env = environmentOf(peer.origin);
    const { ended, finding } = await examine(env);
    const unread = 'accepts key_a, hmac, but the quotas cannot be read: GET /quotas returned 200';
    expect(ended.code).toBe(0);
    expect(finding('authentication')).toMatchObject({
      ...{ result: 'warning', detail: expect.stringContaining(unread) },
      hint: expect.stringContaining('orgctl probe'),
    });
    const { ORGCTL_SECRET: key, ORGCTL_KEY_ID: keyId = '', ...rest } = env;
    const add = ['profile', 'add', 'prod', '--base-url', peer.origin, '--key-id', keyId, '--secret-env', 'S'];
    expect(await runCli(add, { env: { ...rest, S: key } })).toMatchObject({
      ...{ code: 0, stdout: expect.stringContaining('prod') },
      stderr: expect.stringContaining('accepts the key, but the quotas cannot be read'),
    });
  },
);

it.each(['<!DOCTYPE html><p>Log in', JSON.stringify({ success: false, message: 'no such key' }), ''])(
  'a key is not known to be accepted by what is no JSON, or reports a failure: %j',
  async (body) => {
    const peer = await hostilePeer(() => httpAnswer(200, body));
    const { ended, results } = await examine(environmentOf(peer.origin));
    expect([ended.code, results]).toMatchObject([10, { authentication: 'failed' }]);
  },
);

describe('doctor on files and settings', () => {
  it('fails for a file that others can read, and goes on', async () => {
    const env = withProfileFile({ version: 1, profiles: {} });
    const directory = env['ORGCTL_CONFIG_DIR'] ?? '';
    chmodSync(join(directory, 'profiles.json'), 0o644);
    const { ended, results, finding } = await examine({ ...service.environment(), ...env });
    expect([ended.code, results]).toMatchObject([3, { files: 'failed', authentication: 'ok' }]);
    expect(finding('files')).toMatchObject({
      code: 'config',
      detail: expect.stringMatching(/mode 644.*; make it private: chmod 600 '/),
    });
  });

  const swapped = { keyId: secret, secret: 'key_a' };
  const managed = { secret: 'short', managedBy: 'serve' };

  it.each<[string, Environment, string, RegExp, RegExp]>([
    ['nothing is set up', {}, 'profile', /./, /profile add/],
    ['the profile does not exist', { ORGCTL_PROFILE: 'nobody' }, 'profile', /./, /profile add/],
    [
      'the dialect is invalid',
      withProfile({ secret, dialect: { dialect: 1, list: { itmes: 'x' } } }),
      'profile',
      /dialect of profile "prod" is invalid/,
      /profile set prod --dialect none/,
    ],
    ['a secret command fails', withProfile({ secretCommand: 'false' }), 'secret', /exited with code 1/, /./],
    [
      'the secret has a wrong shape',
      withProfile({ secret: `'${secret}'` }),
      'secret',
      /includes quotes/,
      /orgctl profile set NAME --ask-secret$/,
    ],
    ['key ID and secret are swapped', withProfile(swapped), 'profile', /swapped/, /profile path/],
    [
      'a server on this machine has it',
      withProfile(managed, 'local'),
      'secret',
      /5 characters/,
      /: orgctl profile set local --ask-secret$/,
    ],
  ])('fails where %s', async (_when, variables, check, detail, hint) => {
    const { ended, finding, results } = await examine({ ...emptyEnvironment(), ...variables });
    expect(ended.code).toBe(3);
    expect(finding(check)).toMatchObject({
      ...{ result: 'failed', detail: expect.stringMatching(detail), hint: expect.stringMatching(hint) },
    });
    expect(results).toMatchObject({ authentication: 'skipped' });
    expect(ended.stdout + ended.stderr).not.toContain('aaaaa');
  });

  it.each([
    ['in quotes', `"${secret}"`, 'includes quotes', 'correct or unset ORGCTL_SECRET'],
    [
      'wrapped',
      `${secret.slice(0, 30)}\n${secret.slice(30)}`,
      'a space or an invisible character',
      'orgctl whoami',
    ],
    ['too short', 'a'.repeat(63), '63 characters', 'orgctl whoami'],
  ])('does not send a secret that is %s', async (_what, bad, detail, hint) => {
    const peer = await hostilePeer(() => httpAnswer(401));
    const { ended, finding, results } = await examine(environmentOf(peer.origin, { ORGCTL_SECRET: bad }));
    expect(ended.code).toBe(3);
    expect(finding('secret')).toMatchObject({ code: 'config', detail: expect.stringContaining(detail) });
    expect(errorOf(ended)['hint']).toContain(hint);
    expect(results).toMatchObject({ connection: 'skipped', clock: 'skipped', authentication: 'skipped' });
    expect(peer.requests).toEqual([]);
    expect(ended.stdout + ended.stderr).not.toContain('aaaaa');
  });
});

describe('doctor on the clock', () => {
  async function behind(seconds: number) {
    await using server = await startServer({ http: true, clock: () => Date.now() + seconds * 1000 });
    return await examine({ ...emptyEnvironment(), ...serviceEnvironment(server) });
  }

  // To some seconds: the time that an answer takes is counted too.
  it.each([
    [3600, /is (359\d|360[01]) s behind the service/],
    [-301, /is (30\d|31[0-5]) s ahead of the service/],
  ])('is worth a warning when the service is %i s ahead', async (skew, detail) => {
    const { ended, finding, results } = await behind(skew);
    expect(ended.code).toBe(0);
    const hint = /from the network.*: orgctl local clock reset$/;
    expect(finding('clock')).toMatchObject({
      ...{ detail: expect.stringMatching(detail), hint: expect.stringMatching(hint) },
    });
    expect(results).toMatchObject({ clock: 'warning', authentication: 'ok' });
    expect(ended.stderr).toContain(finding('clock')?.hint);
  });

  it('is the only cause when it is too far away to be corrected', async () => {
    const { ended, finding } = await behind(-100 * 3600);
    expect(ended.code).toBe(4);
    expect(finding('clock')?.detail).toMatch(/is (359999|3600\d\d) s ahead of/);
    const detail = expect.stringContaining('clock');
    expect(finding('authentication')).toMatchObject({ result: 'skipped', detail });
  });

  it('is not judged without a Date', async () => {
    const peer = await hostilePeer(() => httpAnswer(500));
    const { finding } = await examine(environmentOf(peer.origin));
    expect(finding('clock')).toMatchObject({
      result: 'skipped',
      detail: expect.stringContaining('Date header'),
    });
  });
});

describe('doctor on authentication', () => {
  const date = () => ({ Date: new Date().toUTCString() });

  it.each([
    [404, { message: 'Not Found' }, 6],
    [403, { message: 'API key is disabled' }, 5],
    [302, '', 10],
  ])('has the exit code of an answer of %i, and asks once', async (status, body, code) => {
    const peer = await hostilePeer(() => httpAnswer(status, body, date()));
    const { ended, results } = await examine(environmentOf(peer.origin));
    expect([ended.code, results]).toMatchObject([code, { clock: 'ok', authentication: 'failed' }]);
    // After 404, it tries the connections.
    expect(peer).toMatchObject({ requests: { length: status === 404 ? 2 : 1 }, connections: 1 });
    if (status !== 404) return;
    expect(errorOf(ended)).toMatchObject({
      hint: expect.stringMatching(/no \/quotas below .*orgctl whoami/),
    });
  });

  it('tells a connection that is cut', async () => {
    const cut = { onConnection: (socket: Socket) => socket.once('data', () => socket.destroy()) };
    const peer = await hostilePeer(() => undefined, cut);
    const { ended, results } = await examine(environmentOf(peer.origin));
    const failed = { connection: 'ok', clock: 'skipped', authentication: 'failed' };
    expect([ended.code, results]).toMatchObject([9, failed]);
  });

  it('tells a broken signature by --try-basic', async () => {
    const peer = await hostilePeer((request) =>
      headerOf(request, 'authorization') === undefined
        ? httpAnswer(401, { statusCode: 401, message: 'Invalid API signature' })
        : httpAnswer(200, record),
    );
    const { ended, finding } = await examine(environmentOf(peer.origin), ['--try-basic']);
    const detail = expect.stringContaining('the secret is right');
    expect(finding('basic')).toMatchObject({ result: 'ok', detail });
    expect(ended).toMatchObject({ code: 4, stderr: expect.stringContaining('--format explain') });
  });

  it.each([
    ['where the signature is accepted', {}, 'was not sent'],
    ['where the key is unknown', { ORGCTL_KEY_ID: 'key_unknown' }, 'was not sent'],
    ['where Basic is in use', { ORGCTL_AUTH: 'basic', ...wrongSecret }, 'already in use'],
  ])('sends no secret of its own accord %s', async (_where, variables, detail) => {
    const { ended, finding } = await examine(service.environment(variables), ['--try-basic']);
    expect(finding('basic')).toMatchObject({ result: 'skipped', detail: expect.stringContaining(detail) });
    expect(ended.stderr).not.toContain('warning');
  });
});
