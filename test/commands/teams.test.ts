import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli } from '../support/run-cli.js';
import { useService } from '../support/service.js';
import { pageAnswer, quotaAnswer, scriptedService } from './support/scripted-service.js';

const service = useService({ quotas: { teams: 3 } });

describe('teams', () => {
  it('are created from a file, with a row for each, also for one', async () => {
    const env = service.environment();
    const create = (stdin: string, ...flags: string[]) =>
      runCli(['teams', 'create', '--file', '-', ...flags, '-o', 'json'], { env, stdin });
    const one = await create('{"name":"a"}');
    expect(one).toMatchObject({ code: 0, stderr: '' });
    expect(JSON.parse(one.stdout)).toMatchObject([{ name: 'a', result: 'created', team: { name: 'a' } }]);
    const two = await create('- name: a\n- name: b\n', '--skip-existing');
    expect(JSON.parse(two.stdout)).toMatchObject([
      { name: 'a', result: 'exists' },
      { name: 'b', result: 'created' },
    ]);
    const bad = await create('[{"name":"c","colour":1},{"name":""},7]');
    expect(bad).toMatchObject({ code: 2, stdout: '' });
    for (const problem of ['colour: unknown field of a team', 'name: ', 'not an object with name']) {
      expect(errorOf(bad)['message']).toContain(problem);
    }
    const most = await create('{"name":"c"}\n{"name":"d"}\n', '--dry-run');
    expect(most).toMatchObject({ code: 7, stdout: '' });
    const listed = await runCli(['teams', 'list', '-o', 'json'], { env });
    expect(JSON.parse(listed.stdout)).toHaveLength(2);
  });

  it('that the service renames are named, because --skip-existing will not find them', async () => {
    const { env } = await scriptedService({
      'POST /teams': ({ body }) => {
        const name = String(JSON.parse(body.toString()).name);
        return httpAnswer(201, { id: `team_${name.trim()}`, name: name.trim().toLowerCase() });
      },
      'GET /teams': () => pageAnswer([], { total: 0, page: 1, pages: 1 }),
      'GET /quotas': () => quotaAnswer(10),
    });
    const stdin = '[{"name":"Ops"},{"name":"dev "},{"name":"qa"}]';
    const ended = await runCli(['teams', 'create', '--file', '-', '--skip-existing'], { env, stdin });
    expect(ended.code).toBe(0);
    expect(ended.stderr).toContain('warning: the service renamed "Ops" to "ops", and renamed 1 more team;');
    const one = await runCli(['teams', 'create', '--name', 'dev '], { env });
    expect(one.stderr).toContain('warning: the service renamed "dev " to "dev";');
    const asJson = await runCli(['teams', 'create', '--name', 'dev ', '-q', '-o', 'json'], { env });
    expect(JSON.parse(asJson.stderr)).toEqual({ warning: expect.stringContaining('"dev "') });
    expect((await runCli(['teams', 'create', '--name', 'qa'], { env })).stderr).toBe('');
  });

  it.each([
    [['create'], 2, 'give --name or --file'],
    [['create', '--name', ''], 14, 'name'],
    [['update', '--name', 'x'], 2, "missing required argument 'id-or-name'"],
    [['update', 'team_x'], 2, 'required option'],
  ])('refuse %j', async (args, code, message) => {
    const ended = await runCli(['teams', ...args], { env: service.environment() });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });
});
