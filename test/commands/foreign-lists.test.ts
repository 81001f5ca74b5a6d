import { describe, expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { runCli } from '../support/run-cli.js';
import { organization } from './support/organization.js';

const full = { body: { data: [{ teams: { limit: 200, used: 100 } }] } };

it('a list that reports a failure is none for any command, and nothing is changed', async () => {
  const { env, calls } = await foreignService({
    list: () => ({ body: { data: [], errors: [{ message: 'down' }] } }),
    quotas: full,
  });
  const stdin = organization({ teams: [] });
  for (const line of ['teams list', 'apply - --yes --prune=all', 'request GET /teams --paginate']) {
    const ended = await runCli(line.split(' '), { env, stdin });
    const stderr = expect.stringContaining('reports a failure: down');
    expect([line, ended]).toMatchObject([line, { code: 10, stdout: '', stderr }]);
  }
  expect(JSON.parse((await runCli(['probe', '-o', 'json'], { env })).stdout).kinds.teams.state).toBe(
    'unread',
  );
  expect(calls.filter((call) => !call.startsWith('GET '))).toEqual([]);
});

describe('records that the service marks as deleted', () => {
  const gone = [
    { id: 'team_1', name: 'a', deleted: true },
    { id: 'team_2', name: 'b', deleted_at: '2026-01-01T00:00:00Z' },
    { id: 'team_5', name: 'd', status: 'deleted' },
  ];
  const living = { id: 'team_3', name: 'c', deleted: false, deleted_at: null };
  const kept = [
    { id: 'team_6', name: 'e', deleted_at: '0001-01-01T00:00:00Z' },
    { id: 'team_7', name: 'f', deleted_at: '2999-01-01T00:00:00Z' },
  ];
  const run = async (args: string, stdin?: string) => {
    const { env, calls } = await foreignService({
      list: () => ({ body: { data: [...gone, living, ...kept], total: 6 } }),
      create: () => ({ status: 201, body: { id: 'team_4', name: 'a' } }),
      quotas: { body: { data: [{ kind: 'teams', limit: 20, used: 1 }] } },
    });
    return { ...(await runCli(args.split(' '), { env, ...(stdin !== undefined && { stdin }) })), calls };
  };

  it('are listed, but are not what a name, a file or a plan means', async () => {
    expect((await run('teams list --all --query length(@)')).stdout).toBe('6\n');
    expect((await run('teams delete a --yes')).calls).not.toContain('DELETE /teams/team_1');
    const exported = await run('export --kind teams');
    expect(exported).toMatchObject({ code: 0, stderr: expect.stringContaining('left out 3 of the teams') });
    expect(exported.stdout.match(/(?<=^ {2}- name: )\w+$/gm)).toEqual(['c', 'e', 'f']);
    const created = await run('teams create --skip-existing --file - -o json', '[{"name":"a"}]');
    expect(JSON.parse(created.stdout)).toMatchObject([{ id: 'team_4', result: 'created' }]);
  });
});
