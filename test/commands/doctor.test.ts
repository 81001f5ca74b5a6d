import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { startServer } from '../../src/server/index.js';
import { hostilePeer, httpAnswer, unusedPort } from '../support/hostile-peer.js';
import {
  emptyEnvironment,
  errorOf,
  runCli,
  startCli,
  temporaryDirectory,
  withProfileFile,
} from '../support/run-cli.js';
import { serviceEnvironment, useService } from '../support/service.js';
import { environmentOf, examine } from './support/doctor.js';

const service = useService();
const secret = 'a'.repeat(64);

describe('doctor', () => {
  it('ends with a verdict on a terminal', async () => {
    const ended = await runCli(['doctor'], { env: service.environment(), isTTY: true });
    expect(ended).toMatchObject({ code: 0, stderr: expect.stringMatching(/everything works\n$/) });
  });

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

  it('is a table of checks, results and details', async () => {
    const { stdout } = await runCli(['doctor'], { env: service.environment() });
    const lines = stdout.trimEnd().split('\n');
    expect(lines[0]).toBe('CHECK           RESULT   DETAIL');
    expect(lines).toHaveLength(10);
    expect(lines[9]).toBe(`authentication  ok       the service accepts ${service.server.keyId}, hmac`);
  });

  it('looks names up', async () => {
    const { port } = new URL(service.server.url);
    const env = service.environment({ ORGCTL_BASE_URL: `https://localhost:${port}` });
    const { ended, finding } = await examine(env);
    expect(ended.code).toBe(0);
    expect(finding('dns')).toMatchObject({ result: 'ok', detail: expect.stringContaining('127.0.0.1') });
  });

  it('sends one GET /quotas and nothing else', async () => {
    const record = { teams: { limit: 1, used: 0, remaining: 1 } };
    const peer = await hostilePeer(() =>
      httpAnswer(200, { data: [record], total: 1, page: 1, limit: 20, pages: 1 }),
    );
    const { ended } = await examine(environmentOf(`${peer.origin}/base`));
    expect(ended.code).toBe(0);
    expect(peer.requests.map(({ method, target }) => `${method} ${target}`)).toEqual(['GET /base/quotas']);
  });

  it('takes plain HTTP to this machine as it is', async () => {
    const plain = await startServer({ http: true });
    try {
      const { ended, results } = await examine({ ...emptyEnvironment(), ...serviceEnvironment(plain) });
      expect(ended.code).toBe(0);
      expect(results).toMatchObject({ connection: 'ok', tls: 'skipped', authentication: 'ok' });
    } finally {
      await plain.close();
    }
  });

  it('ends at Ctrl-C with 130', async () => {
    const peer = await hostilePeer(() => undefined);
    const { system, ended } = startCli(['doctor'], { env: environmentOf(peer.origin) });
    await peer.received();
    system.raise('SIGINT');
    expect(await ended).toMatchObject({ code: 130, stdout: '' });
  });
});

describe('doctor on files and settings', () => {
  it('fails for a file that others can read, and goes on', async () => {
    const env = withProfileFile({ version: 1, profiles: {} });
    const directory = env['ORGCTL_CONFIG_DIR'] ?? '';
    chmodSync(join(directory, 'profiles.json'), 0o644);
    const { ended, results, finding } = await examine({ ...service.environment(), ...env });
    expect(ended.code).toBe(3);
    expect(finding('files')).toMatchObject({
      result: 'failed',
      code: 'config',
      detail: expect.stringContaining('mode 644'),
      hint: `chmod -R go-rwx '${directory}'`,
    });
    expect(results).toMatchObject({ authentication: 'ok' });
  });

  it.each([
    ['nothing is set up', {}, 'profile add'],
    ['the profile does not exist', { ORGCTL_PROFILE: 'nobody' }, 'profile add'],
    ['a setting is bad', { ORGCTL_BASE_URL: 'https://a.example', ORGCTL_TIMEOUT: 'soon' }, 'ORGCTL_TIMEOUT'],
    ['no key is given', { ORGCTL_BASE_URL: 'https://a.example', ORGCTL_SECRET: secret }, 'ORGCTL_KEY_ID'],
  ])('fails when %s', async (_when, variables, hint) => {
    const { ended, finding, results } = await examine({ ...emptyEnvironment(), ...variables });
    expect(ended.code).toBe(3);
    expect(finding('profile')).toMatchObject({ result: 'failed', hint: expect.stringContaining(hint) });
    expect(results).toMatchObject({ secret: 'skipped', dns: 'skipped', authentication: 'skipped' });
  });

  it('names both sources of a conflict', async () => {
    const profiles = { prod: { baseUrl: 'https://a.example', keyId: 'key_a', secret } };
    const { ended, finding } = await examine(withProfileFile({ version: 1, current: 'prod', profiles }), [
      '--key-id',
      'key_b',
    ]);
    expect(ended.code).toBe(3);
    expect(finding('secret')).toMatchObject({
      result: 'failed',
      detail: expect.stringMatching(/--key-id \(key_b\).*profile "prod" \(key_a\)/),
    });
  });

  it('tells a secret command that fails', async () => {
    const profiles = { prod: { baseUrl: 'https://127.0.0.1:1', keyId: 'key_a', secretCommand: 'false' } };
    const { ended, finding } = await examine(withProfileFile({ version: 1, current: 'prod', profiles }));
    expect(ended.code).toBe(3);
    expect(finding('secret')).toMatchObject({
      result: 'failed',
      detail: expect.stringContaining('exited with code 1'),
    });
  });
});

describe('doctor on the shape of the secret', () => {
  it.each([
    ['in quotes', { ORGCTL_SECRET: `"${secret}"` }, 'includes quotes', 'export ORGCTL_SECRET='],
    ['too short', { ORGCTL_SECRET: 'a'.repeat(63) }, '63 characters', 'orgctl whoami'],
  ])('finds one that is %s, and does not send it', async (_what, variables, detail, hint) => {
    const peer = await hostilePeer(() => httpAnswer(401));
    const { ended, finding, results } = await examine({ ...environmentOf(peer.origin), ...variables });
    expect(ended.code).toBe(3);
    expect(finding('secret')).toMatchObject({ result: 'failed', code: 'config' });
    expect(finding('secret')?.detail).toContain(detail);
    expect(errorOf(ended)['hint']).toContain(hint);
    expect(results).toMatchObject({ connection: 'ok', clock: 'skipped', authentication: 'skipped' });
    expect(peer.requests).toEqual([]);
    expect(ended.stdout + ended.stderr).not.toContain('aaaaa');
  });

  it('says how to store a secret of a profile anew', async () => {
    const profiles = { prod: { baseUrl: 'https://127.0.0.1:1', keyId: 'key_a', secret: `'${secret}'` } };
    const { ended, finding } = await examine(withProfileFile({ version: 1, current: 'prod', profiles }));
    expect(ended.code).toBe(3);
    expect(finding('secret')?.hint).toContain('orgctl profile remove prod && orgctl profile add prod');
    expect(ended.stdout + ended.stderr).not.toContain('aaaaa');
  });

  it('leaves the profile of a local server to the server, and says that the file is private', async () => {
    const local = { baseUrl: 'https://127.0.0.1:1', keyId: 'key_a', secret: 'short', managedBy: 'serve' };
    const { finding } = await examine(withProfileFile({ version: 1, current: 'local', profiles: { local } }));
    expect(finding('secret')?.hint).toMatch(/rewrites it at each start: orgctl serve$/);
    expect(finding('files')).toMatchObject({
      result: 'ok',
      detail: expect.stringContaining('private to you'),
    });
  });
});

describe('doctor on the clock', () => {
  async function behind(seconds: number, args: readonly string[] = []) {
    const server = await startServer({ http: true, clock: () => Date.now() + seconds * 1000 });
    try {
      return await examine({ ...emptyEnvironment(), ...serviceEnvironment(server) }, args);
    } finally {
      await server.close();
    }
  }

  // To some seconds: the time that an answer takes is counted too.
  it.each([
    [3600, /is (359\d|360[01]) s behind the service/],
    [-301, /is (30\d|31[0-5]) s ahead of the service/],
  ])(
    'is worth a warning when the service is %i s ahead, as requests are signed by its clock',
    async (skew, detail) => {
      const { ended, finding, results } = await behind(skew);
      expect(ended.code).toBe(0);
      expect(finding('clock')).toMatchObject({
        result: 'warning',
        detail: expect.stringMatching(detail),
        hint: expect.stringMatching(
          /orgctl local clock reset --data DIR; otherwise .*(timedatectl|sntp|w32tm)/,
        ),
      });
      expect(results).toMatchObject({ authentication: 'ok' });
      expect(ended.stderr).toContain(finding('clock')?.hint);
    },
  );

  it('is the only cause when it is too far away to be corrected', async () => {
    const { ended, finding } = await behind(-100 * 3600);
    expect(ended.code).toBe(4);
    expect(finding('clock')?.detail).toMatch(/is (359999|3600\d\d) s ahead of/);
    expect(finding('authentication')).toMatchObject({
      result: 'skipped',
      detail: expect.stringContaining('clock'),
    });
  });

  it('matters less with Basic', async () => {
    const { ended, results } = await behind(3600, ['--auth', 'basic']);
    expect(ended.code).toBe(0);
    expect(results).toMatchObject({ clock: 'warning', authentication: 'ok' });
  });

  it('is not judged without a Date', async () => {
    const peer = await hostilePeer(() => httpAnswer(500));
    const { finding } = await examine(environmentOf(peer.origin));
    expect(finding('clock')).toMatchObject({ result: 'skipped', detail: expect.stringContaining('no Date') });
  });
});

describe('doctor on the way', () => {
  it('finds that nothing listens', async () => {
    const { ended, finding, results } = await examine(
      environmentOf(`https://127.0.0.1:${await unusedPort()}`),
    );
    expect(ended.code).toBe(9);
    expect(finding('connection')).toMatchObject({
      detail: expect.stringContaining('refused'),
      code: 'network',
    });
    expect(results).toMatchObject({ tls: 'skipped', clock: 'skipped', authentication: 'skipped' });
  });

  it('finds that there is no such host', async () => {
    const { ended, finding, results } = await examine(environmentOf('https://nowhere.invalid'));
    expect(ended.code).toBe(9);
    expect(finding('dns')).toMatchObject({ result: 'failed', detail: expect.stringContaining('not found') });
    expect(results).toMatchObject({ connection: 'skipped', authentication: 'skipped' });
  });

  it('finds a CA file that cannot be read', async () => {
    const { ended, finding } = await examine(service.environment(), [
      '--ca-file',
      join(temporaryDirectory(), 'ca.pem'),
    ]);
    expect(ended.code).toBe(3);
    expect(finding('tls')).toMatchObject({ result: 'failed', code: 'config' });
  });
});
