import { describe, expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { runCli } from '../support/run-cli.js';

const quotas = async (body: unknown) => {
  const { env } = await foreignService({ quotas: { body }, list: () => ({ body: [] }) });
  return (line: string, stdin?: string) => runCli(line.split(' '), { env, ...(stdin && { stdin }) });
};

describe('quotas of a kind that comes twice', () => {
  const keys = { kind: 'api-keys', limit: 20, used: 3 };
  const teams = { kind: 'teams', limit: 5, used: 5 };

  it.each<[unknown]>([
    [[keys, teams, { ...teams, used: 1 }]],
    [[keys, teams, { kind: 'teams' }]],
    [{ 'api-keys': keys, teams, api_keys: { limit: 20, used: 19 } }],
  ])('cannot be read if they differ: %j', async (body) => {
    const run = await quotas(body);
    const unread = {
      code: 10,
      stderr: expect.stringMatching(/the quota of (teams|api-keys) cannot be read/),
    };
    expect(await run('quotas --fail-over 101')).toMatchObject(unread);
    expect(await run('quotas')).toMatchObject({ ...unread, code: 0 });
  });

  it('are read if they agree', async () => {
    const run = await quotas([keys, teams, keys, teams]);
    expect(await run('quotas --fail-over 101')).toMatchObject({ code: 0, stderr: '' });
  });
});

describe('quotas with further pages', () => {
  it.each([[{ has_more: true }], [{ next: '/quotas?page=2' }]])(
    'are no ground for a decision: %j',
    async (more) => {
      const run = await quotas({ data: [{ kind: 'connections', limit: 10, used: 1 }], ...more });
      const incomplete = { code: 10, stderr: expect.stringContaining('the quotas are incomplete') };
      expect(await run('quotas')).toMatchObject({ ...incomplete, code: 0 });
      expect(await run('quotas --fail-over 90')).toMatchObject(incomplete);
      expect(await run('quotas --kind teams')).toMatchObject(incomplete);
      expect((await run('quotas --kind connections --fail-over 90')).code).toBe(0);
      expect(await run('apply - --yes', 'version: 1\nteams: [{ name: b }]\n...\n')).toMatchObject(incomplete);
    },
  );
});
