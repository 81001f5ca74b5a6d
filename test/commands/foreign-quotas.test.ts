import { describe, expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { runCli, withProfileFile } from '../support/run-cli.js';

const list = () => ({ body: [] });

describe('quotas that cannot be read', () => {
  const read = async (body: unknown, line: string) => {
    const create = () => ({ status: 201, body: { id: 1 } });
    const { env } = await foreignService({ quotas: { body }, create });
    return runCli(line.split(' '), { env });
  };
  const connections = { limit: 10, used: 1 };

  it.each([{ teams: 10, connections: 10 }, {}])(
    'are an error if nothing else is there: %j',
    async (record) => {
      for (const more of ['', ' --fail-over 90 -q', ' --kind teams']) {
        const ended = await read({ data: [record] }, `quotas${more}`);
        const stderr = expect.not.stringContaining('reports no quotas');
        expect([more, ended]).toMatchObject([more, { code: 10, stdout: '', stderr }]);
      }
    },
  );

  it('are named beside others, and count for --fail-over and --kind', async () => {
    const body = { teams: { limit: 10 }, connections };
    const plain = await read(body, 'quotas');
    expect(plain).toMatchObject({ code: 0, stdout: expect.stringContaining('connections') });
    expect(plain.stderr).toContain('the quota of teams cannot be read');
    const shown = { teams: { limit: 10 }, connections: { ...connections, remaining: 9 } };
    expect(JSON.parse((await read(body, 'quotas -o json')).stdout)).toEqual(shown);
    expect((await read(body, 'quotas --fail-over 90')).code).toBe(10);
    expect((await read(body, 'quotas --fail-over 5')).code).toBe(13);
    expect((await read(body, 'quotas --kind teams')).code).toBe(10);
    const other = await read(body, 'quotas --kind connections --fail-over 90');
    expect(other).toMatchObject({ code: 0, stderr: '' });
  });

  it('are those in fractions, which it says', async () => {
    const body = { teams: { limit: 10.5, used: 2 }, connections };
    const stderr = expect.stringContaining('the quota of teams cannot be read: its figures are');
    expect(await read(body, 'quotas')).toMatchObject({ code: 0, stderr });
    expect(await read(body, 'quotas --kind teams')).toMatchObject({ code: 10, stderr });
  });

  it.each([null, '-1'])('with the limit %j are unlimited, never full, and null as JSON', async (limit) => {
    const body = { connections: { limit, used: 5 }, teams: { limit: 10, used: 1 } };
    const { env } = await foreignService({ quotas: { body } });
    const run = (line: string) => runCli(line.split(' '), { env });
    expect(await run('quotas --fail-over 0.1 --kind connections')).toMatchObject({
      ...{ code: 0, stdout: expect.stringMatching(/connections +unlimited +5 +unlimited/) },
    });
    expect((await run('quotas --fail-over 5')).code).toBe(13);
    expect(JSON.parse((await run('quotas -o json')).stdout)).toEqual({
      connections: { limit: null, used: 5, remaining: null },
      teams: { limit: 10, used: 1, remaining: 9 },
    });
    expect((await run('quotas -o csv --no-headers')).stdout).toContain('connections,,5,,');
  });

  it('with a negative limit have room for whatever is created', async () => {
    const body = { teams: { limit: -1, used: 0, remaining: -1 } };
    const { env, calls } = await foreignService({ quotas: { body }, list });
    const stdin = 'version: 1\nteams: [{ name: a }, { name: b }]\n';
    const planned = await runCli(['diff', '-'], { env, stdin });
    expect(planned).toMatchObject({ code: 0, stderr: expect.not.stringContaining('quota') });
    expect(calls).not.toContain('POST /teams');
  });

  it('are a row of --all-profiles', async () => {
    const { origin } = await foreignService({ quotas: { body: { teams: 10, connections } } });
    const main = { baseUrl: origin, keyId: 'key_test', secret: 's'.repeat(64) };
    const env = withProfileFile({ version: 1, current: 'main', profiles: { main } });
    const { code, stdout } = await runCli(['quotas', '--all-profiles'], { env });
    expect([code, stdout]).toEqual([12, expect.stringContaining('quota of teams cannot be read')]);
    expect(stdout).toMatch(/main +connections +10/);
  });
});

describe.each([404, 405])('a service that answers %i to GET /quotas', (status) => {
  async function withoutQuotas() {
    const service = await foreignService({
      list: () => ({ body: { data: [], total: 0 } }),
      create: () => ({ status: 201, body: { id: 'key_new', name: 'a', secret: 'n'.repeat(64) } }),
      quotas: { status, body: { detail: 'no such path' } },
    });
    const { env, origin } = service;
    const profile = { baseUrl: origin, keyId: 'key_test', secret: 's'.repeat(64) };
    const profiles = withProfileFile({ version: 1, current: 'main', profiles: { main: profile } });
    return { env, profiles, run: (line: string, stdin = '') => runCli(line.split(' '), { env, stdin }) };
  }

  it('is shown with its refusal', async () => {
    const { run } = await withoutQuotas();
    const ended = await run('quotas');
    expect(ended.code).toBe(status === 404 ? 6 : 14);
    expect(ended.stderr).toContain('no such path');
  });

  it('is used without them', async () => {
    const { run, env, profiles } = await withoutQuotas();
    const doctor = await run('doctor');
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('it has no GET /quotas') });
    const add = `profile add p --base-url ${env['ORGCTL_BASE_URL']} --key-id key_a --secret-env ORGCTL_SECRET`;
    expect(await run(add)).toMatchObject({ code: 0 });
    expect(await run('teams create --file -', '[{"name":"a"}]')).toMatchObject({ code: 0 });
    const file = 'version: 1\nteams:\n  - name: a\n';
    expect(await run('apply - --yes', file)).toMatchObject({ code: 0 });
    expect(await runCli(['api-keys', 'rotate'], { env: profiles })).toMatchObject({ code: 0 });
  });
});
