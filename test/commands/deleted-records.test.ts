import { describe, expect, it } from 'vitest';
import { foreignService } from '../support/foreign-service.js';
import { runCli } from '../support/run-cli.js';

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

  it('are noted once by a run that reads the list several times', async () => {
    const applied = await run('apply - --yes', 'version: 1\nteams: [{ name: a }]\n...\n');
    expect(applied).toMatchObject({ code: 0, stdout: expect.stringContaining('created') });
    expect(applied.stderr.match(/left out 3 of the teams/g)).toHaveLength(1);
  });

  it('end a deletion that was only promised', async () => {
    const { env } = await foreignService({
      list: () => ({ body: [] }),
      get: () => ({ body: gone[0] }),
      change: () => ({ status: 202 }),
    });
    expect((await runCli(['teams', 'delete', 'team_1', '--yes'], { env })).code).toBe(0);
  });
});
