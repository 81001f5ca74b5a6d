import { describe, expect, it, onTestFinished, vi } from 'vitest';
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
    const listed = await runCli(['teams', 'list', '-o', 'json'], { env });
    expect(JSON.parse(listed.stdout)).toHaveLength(2);
  });

  it('that the service renames are named, because --skip-existing will not recognize them', async () => {
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
    expect(ended.stderr).toContain('warning: the service stored the name as "ops", not as "Ops"');
    const one = await runCli(['teams', 'create', '--name', 'dev '], { env });
    expect(one.stderr).toContain('warning: the service stored the name as "dev", not as "dev "');
    const asJson = await runCli(['teams', 'create', '--name', 'dev ', '-q', '-o', 'json'], { env });
    expect(JSON.parse(asJson.stderr)).toEqual({ warning: expect.stringContaining('"dev "') });
    expect((await runCli(['teams', 'create', '--name', 'qa'], { env })).stderr).toBe('');
  });

  describe('whose new name the service stores in a form of its own', () => {
    const answering = (name: string, former = 'old', hasGet = false) =>
      scriptedService({
        ...(hasGet && { 'GET /teams/team_1': () => httpAnswer(200, { id: 'team_1', name: former }) }),
        'GET /teams': () => pageAnswer([{ id: 'team_1', name: former }], { total: 1, page: 1, pages: 1 }),
        'PATCH /teams/team_1': () => httpAnswer(200, { id: 'team_1', name }),
      });

    it.each(['my-team', 'MYTEAM', 'team', 'My Team 2'])('are not said to be changed: %s', async (name) => {
      const { env } = await answering(name);
      const ended = await runCli(['teams', 'update', 'team_1', '--name', 'My Team'], { env });
      const stderr = expect.stringContaining(`has name: "${name}", although "My Team" was sent`);
      expect(ended).toMatchObject({ code: 10, stdout: '', stderr });
    });

    it.each([
      ['my-team', true],
      ['team_1', true],
    ])('are not said to be changed if it is their former name: %s, GET by ID: %s', async (text, hasGet) => {
      const { env } = await answering('my-team', 'my-team', hasGet);
      const ended = await runCli(['teams', 'update', text, '--name', 'My Team'], { env });
      const stderr = expect.stringContaining('has name: "my-team", although "My Team" was sent');
      expect(ended).toMatchObject({ code: 10, stdout: '', stderr });
    });
  });

  it.each([
    [['create'], 2, 'give --name or --file'],
    [['create', '--name', ''], 2, 'the name must not be empty'],
    [['update', '--name', 'x'], 2, "missing required argument 'id-or-name'"],
    [['update', 'team_x'], 2, 'required option'],
    [
      ['update', 'team_x', 'team_y', '--name', 'x'],
      2,
      "too many arguments for 'update'. Expected 1 argument but got 2",
    ],
  ])('refuse %j', async (args, code, message) => {
    const ended = await runCli(['teams', ...args], { env: service.environment() });
    expect(ended).toMatchObject({ code, stdout: '', stderr: expect.stringContaining(message) });
  });
});

it('times without a zone are in UTC, however they are written', async () => {
  vi.stubEnv('TZ', 'America/New_York');
  onTestFinished(() => void vi.unstubAllEnvs());
  const time = new Date(Date.now() - 600_000).toISOString().slice(0, 19);
  const data = [time, time.replace('T', ' '), `${time}Z`].map((created_at, at) => ({
    id: `${at}`,
    created_at,
  }));
  const { env } = await scriptedService({
    'GET /teams': () => pageAnswer(data, { total: 3, page: 1, pages: 1 }),
  });
  const { stdout } = await runCli(['teams', 'list', '--columns', 'created_at', '--no-headers'], { env });
  expect(stdout).toBe('10m\n10m\n10m\n');
});
