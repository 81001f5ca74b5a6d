import { describe, expect, it } from 'vitest';
import type { DialectInput } from '../../src/server/index.js';
import { startServer } from '../../src/server/index.js';
import { foreignService } from '../support/foreign-service.js';
import { runCli, withProfileFile } from '../support/run-cli.js';

async function pinned(dialect: DialectInput, count = 0) {
  const teams = Array.from({ length: count }, (_, at) => ({ id: `team_${at}`, name: `team-${at}` }));
  const seed = { organizations: [{ name: 'a', teams }] };
  const server = await startServer({ http: true, dialect, quotas: { teams: 500 }, seed });
  const { url: baseUrl, keyId, secret } = server;
  const main = { baseUrl, keyId, secret, dialect };
  return { server, env: withProfileFile({ version: 1, current: 'main', profiles: { main } }) };
}

describe('a pinned dialect', () => {
  it('says how large a page may be: no larger one is asked for', async () => {
    const { server, env } = await pinned({ dialect: 1, list: { limit: { max: 60 } } }, 101);
    await using _ = server;
    const ended = await runCli(['teams', 'list', '--all', '--query', 'length(@)'], { env });
    expect(ended).toMatchObject({ code: 0, stdout: '101\n' });
    expect((await server.control.journal.get()).map(({ target, status }) => [target, status])).toEqual([
      ['/teams?limit=60', 200],
      ['/teams?limit=60&page=2', 200],
    ]);
  });

  it.each<'cursor' | DialectInput>([{ dialect: 1, list: { items: null, paging: 'none' } }, 'cursor'])(
    'that has no page numbers refuses one: %j',
    async (dialect) => {
      const items = [{ id: 'team_1', name: 'a' }];
      const body = dialect === 'cursor' ? { items, next_cursor: null, has_more: false } : items;
      const { origin: baseUrl } = await foreignService({ list: () => ({ body }) });
      const main = { baseUrl, keyId: 'key_test', secret: 's'.repeat(64), dialect };
      const env = withProfileFile({ version: 1, current: 'main', profiles: { main } });
      const ended = await runCli(['teams', 'list', '--page', '5', '-o', 'json'], { env });
      expect(ended).toMatchObject({ code: 2, stdout: '' });
      expect(ended.stderr).toContain(
        'page 5 cannot be read: according to its dialect, the service does not number its pages',
      );
      expect((await runCli(['teams', 'list', '--page', '1', '-o', 'json'], { env })).code).toBe(0);
    },
  );

  it('names the fields of requests, and those that are looked at', async () => {
    const { server, env } = await pinned({
      dialect: 1,
      item: { names: { name: 'label', enabled: 'active' } },
    });
    await using _ = server;
    const rehearsed = await runCli(['teams', 'create', '--name', 'core', '--dry-run', '-o', 'json'], { env });
    expect(JSON.parse(rehearsed.stdout).body).toEqual({ label: 'core' });
    const created = await runCli(['teams', 'create', '--name', 'core', '-o', 'json'], { env });
    expect(JSON.parse(created.stdout)).toMatchObject({ label: 'core' });
    const table = await runCli(['teams', 'get', 'core'], { env });
    expect(table.stdout).toMatch(/^NAME +core$/m);
    await runCli(['api-keys', 'create', '--name', 'ci'], { env });
    const disabled = await runCli(['api-keys', 'disable', 'ci', '-o', 'json'], { env });
    expect(JSON.parse(disabled.stdout)).toMatchObject({ label: 'ci', active: false });
    const list = await runCli(['api-keys', 'list', '--disabled', '--no-headers'], { env });
    expect(list.stdout).toMatch(/^key_\w+ +ci +false /);
  });

  it('has the message of an exceeded quota, whatever form other errors have', async () => {
    const message = 'Quota exceeded: maximum 2 teams allowed per organization (currently: 2)';
    const { origin: baseUrl } = await foreignService({
      create: () => ({ status: 403, body: { statusCode: 403, message } }),
    });
    const main = {
      baseUrl,
      keyId: 'key_test',
      secret: 's'.repeat(64),
      dialect: { dialect: 1, errors: 'detail' },
    };
    const env = withProfileFile({ version: 1, current: 'main', profiles: { main } });
    const ended = await runCli(['teams', 'create', '--name', 'x'], { env });
    expect(ended).toMatchObject({ code: 7, stderr: expect.stringContaining(`error: ${message}\n`) });
  });

  it('is what doctor expects, too', async () => {
    const quotas = { body: { quotas: { teams: { limit: 1, used: 0 } } } };
    const { origin: baseUrl } = await foreignService({ quotas });
    const main = { baseUrl, keyId: 'key_test', secret: 's'.repeat(64) };
    const run = (dialect: DialectInput) => {
      const env = withProfileFile({ version: 1, current: 'main', profiles: { main: { ...main, dialect } } });
      return runCli(['doctor'], { env });
    };
    expect((await run({ dialect: 1, quotas: { form: 'quotas' } })).code).toBe(0);
    const other = await run({ dialect: 1, quotas: { form: 'bare' } });
    expect(other).toMatchObject({
      code: 10,
      stderr: expect.stringContaining("according to the profile's dialect"),
    });
  });
});
