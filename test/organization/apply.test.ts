import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { apply, entry, listed, organization, rowsOf, teams } from '../commands/support/organization.js';
import { quotaAnswer, scriptedService } from '../commands/support/scripted-service.js';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli, startCli, temporaryDirectory } from '../support/run-cli.js';
import { relayedService, useOrganizationService } from './support/organization-service.js';

const { service, environment } = useOrganizationService();

const names = (rows: readonly Record<string, unknown>[]) => rows.map(({ name }) => name);

describe('what goes wrong on the way', () => {
  it.each([
    ['carried out is found by its name', 'POST /teams=drop-answerx2', 0, []],
    ['that no list shows is unknown', 'POST /teams=dropx2', 12, ['outcome unknown', 'outcome unknown']],
  ] as const)('a creation %s, and never sent again by the same run', async (_what, fault, code, unknown) => {
    const env = environment();
    await service.server.control.faults.set([fault]);
    const { ended, rows } = await apply(organization({ teams: teams(3) }), env);
    expect(ended.code).toBe(code);
    const done = Array<string>(3 - unknown.length).fill('created');
    expect(rows.map(({ result }) => result).sort()).toEqual([...done, ...unknown]);
    expect(await service.server.control.journal.count({ method: 'POST' })).toBe(3);
    expect((await apply(organization({ teams: teams(3) }), env)).ended.code).toBe(0);
    expect(names(await listed('teams', env)).sort()).toEqual(names(teams(3)));
  });

  describe('where somebody else makes the same at the same time', () => {
    /** An apply whose first POST is preceded by one of somebody else, and is then lost on the way there or back. */
    async function contested(
      kind: 'teams' | 'connections',
      theirs: readonly string[],
      file: string,
      isCarriedOut: boolean,
    ) {
      const state = { posts: 0, lost: 0 };
      const { direct, env } = await relayedService({
        before: async (call) => {
          if (call !== `POST /${kind}` || state.posts++ > 0) return undefined;
          await runCli([kind, 'create', ...theirs], { env: direct });
          return isCarriedOut ? undefined : 'drop';
        },
        after: (call) => (call === `POST /${kind}` && state.lost++ === 0 ? 'drop' : undefined),
      });
      const { ended, rows } = await apply(file, env);
      return { ended, rows, all: await listed(kind, direct), posts: state.posts };
    }
    const theirs = [
      ...['--name', 'app', '--host', 'theirs', '--database', 'app', '--user', 'app'],
      ...['--password-env', 'APP_DB_PASSWORD'],
    ];

    it('what is not what was sent is not taken for it', async () => {
      const file = organization({ connections: [entry('app')] });
      const { ended, rows, all, posts } = await contested('connections', theirs, file, false);
      expect(ended.code).toBe(12);
      expect(all).toHaveLength(1);
      const error = expect.stringContaining(String(all[0]?.['id']));
      expect(rows).toMatchObject([{ name: 'app', result: 'outcome unknown', error }]);
      expect(posts).toBe(1);
    });

    it('what was sent is, and nobody’s is deleted as a double', async () => {
      const file = organization({ connections: [entry('app')] });
      const { ended, rows, all } = await contested('connections', theirs, file, true);
      const ours = all.find(({ config }) => Object(config).host === 'db');
      expect(all).toHaveLength(2);
      const [id, error] = [ours?.['id'], expect.stringMatching(/^2 connections are now named "app": /)];
      expect(rows).toMatchObject([
        { name: 'app', result: 'created', id },
        { name: 'app', result: 'outcome unknown', code: 'outcome_unknown', id, error },
      ]);
      expect(ended.code).toBe(12);
      expect(ended.stderr).toContain('first delete all but one of the connections with the same name');
    });

    it('a key of theirs is no reason to delete ours, whose secret may be in use', async () => {
      const { http, env } = await relayedService({
        before: async (call) => {
          if (call === 'POST /api-keys') await http.control.keys.issue({ name: 'ci' });
          return undefined;
        },
      });
      const secret = join(temporaryDirectory(), 'secret');
      await apply(organization({ teams: teams(1) }), env);
      const file = organization({ teams: [], 'api-keys': [{ name: 'ci', secret_to: { file: secret } }] });
      const { ended, rows } = await apply(file, env, '--prune=teams,all');
      const error = expect.stringMatching(/^2 API keys are now named "ci": /);
      const id = rows[0]?.['id'];
      expect(rows).toMatchObject([
        { name: 'ci', result: 'created' },
        { name: 'ci', result: 'failed', id, error },
        { name: 'team-0', result: 'not tried' },
      ]);
      expect((await listed('api-keys', env)).map(({ id }) => id)).toContain(id);
      expect(ended.code).toBe(12);
      expect(ended.stderr).toContain('first delete all but one of the API keys with the same name');
    });

    it('two alike are told from each other by nobody', async () => {
      const file = organization({ teams: [{ name: 'same' }] });
      const { rows, all } = await contested('teams', ['--name', 'same'], file, true);
      expect(all).toHaveLength(2);
      expect(rows).toMatchObject([{ result: 'outcome unknown' }]);
    });

    it('what was there before the attempt is not taken for it', async () => {
      const state = { lists: 0, posts: 0 };
      const { direct, env } = await relayedService({
        before: async (call) => {
          // The plan has read the list once by then.
          if (call === 'GET /teams' && ++state.lists === 2) {
            await runCli(['teams', 'create', '--name', 'same'], { env: direct });
          }
          return call === 'POST /teams' && state.posts++ === 0 ? 'drop' : undefined;
        },
      });
      const file = organization({ teams: [{ name: 'same' }] });
      const { rows } = await apply(file, env);
      const all = await listed('teams', direct);
      expect(rows).toMatchObject([{ result: 'outcome unknown' }]);
      expect([all.length, state.posts]).toEqual([1, 1]);
    });
  });

  it('a list that lags behind is no reason to create again', async () => {
    // The ninth is sent once another one is done.
    const wanted = teams(9);
    const { env, posted } = await scriptedService({
      'GET /teams': () => httpAnswer(200, []),
      'GET /quotas': () => quotaAnswer(10),
      'POST /teams': ({ body, nth }, socket) => {
        const { name } = JSON.parse(body.toString('utf8'));
        if (name !== 'team-8') return httpAnswer(201, { id: `team_${nth}`, name });
        socket.destroy();
        return undefined;
      },
    });
    const { ended, rows } = await apply(organization({ teams: wanted }), env);
    expect(posted()).toHaveLength(9);
    expect(rows.map(({ result }) => result)).toEqual([...Array(8).fill('created'), 'outcome unknown']);
    const error = expect.stringMatching(/the list is out of date: it does not show team_\d, which/);
    expect(rows[8]).toMatchObject({ code: 'outcome_unknown', error });
    expect([ended.code, ended.stderr]).toEqual([12, expect.not.stringContaining('are now named')]);
  });

  it('a list that was read while others were created is no older than it has to be', async () => {
    const seen = { lists: 0 };
    const { env, posted } = await scriptedService({
      'GET /teams': async () => {
        // The ninth is sent once another one is done.
        if (++seen.lists === 3) await expect.poll(() => posted().length).toBe(9);
        return httpAnswer(200, []);
      },
      'GET /quotas': () => quotaAnswer(10),
      'POST /teams': async ({ body, nth }) => {
        const { name } = JSON.parse(body.toString('utf8'));
        if (name === 'team-0') return httpAnswer(500, {});
        await expect.poll(() => seen.lists).toBeGreaterThan(2);
        return httpAnswer(201, { id: `team_${nth}`, name });
      },
    });
    const { rows } = await apply(organization({ teams: teams(9) }), env, '--retries', '0');
    expect(rows.map(({ result }) => result)).toEqual(['failed', ...Array(8).fill('created')]);
  });

  it('a list that shows fewer than the quota counts is no reason to create again', async () => {
    const state = { used: 0 };
    const { env, posted } = await scriptedService({
      'GET /teams': () => httpAnswer(200, { data: [], total: 0 }),
      'GET /quotas': () => httpAnswer(200, { teams: { limit: 10, remaining: 10 - state.used, ...state } }),
      'POST /teams': (_request, socket) => {
        state.used++;
        socket.destroy();
        return undefined;
      },
    });
    const { rows } = await apply(organization({ teams: teams(1) }), env);
    expect(posted()).toHaveLength(1);
    const error = expect.stringContaining('it shows 0 teams, and the quota counts 1');
    expect(rows).toMatchObject([{ result: 'outcome unknown', error }]);
  });

  it.each([
    ['younger', 'taken back', '2026-01-01T00:00:01Z', ['created', 'undone']],
    ['older', 'kept', '2025-12-31T23:59:59Z', ['created']],
  ])(
    'of two at once the %s is %s, also where lists begin with ours',
    async (_age, _fate, created, results) => {
      const theirs = { id: 'team_1', name: 'team-0', created_at: '2026-01-01T00:00:00Z' };
      const ours = { ...theirs, id: 'team_2', created_at: created };
      const { env, peer } = await scriptedService({
        'GET /teams': ({ nth }) => httpAnswer(200, nth < 2 ? [] : [ours, theirs]),
        'GET /quotas': () => quotaAnswer(10),
        'POST /teams': () => httpAnswer(201, ours),
        'DELETE /teams/team_2': () => 'HTTP/1.1 204 No Content\r\n\r\n',
      });
      const { rows } = await apply(organization({ teams: teams(1) }), env);
      expect(rows.map(({ id, result }) => [id, result])).toEqual(results.map((result) => ['team_2', result]));
      expect(peer.requests.filter(({ method }) => method === 'DELETE')).toHaveLength(results.length - 1);
    },
  );

  it.each([409, 404])(
    'a creation that could not be taken back counts as one more change: %i',
    async (status) => {
      const theirs = { id: 'team_1', name: 'team-0', created_at: '2026-01-01T00:00:00Z' };
      const ours = { ...theirs, id: 'team_2', created_at: '2026-01-01T00:00:01Z' };
      const { env } = await scriptedService({
        'GET /teams': ({ nth }) => httpAnswer(200, nth < 2 ? [] : [ours, theirs]),
        'GET /quotas': () => quotaAnswer(10),
        'POST /teams': () => httpAnswer(201, ours),
        'DELETE /teams/team_2': () => httpAnswer(status, { message: 'in use' }),
      });
      const { ended, rows } = await apply(organization({ teams: teams(1) }), env);
      expect(rows.map(({ result }) => result)).toEqual(['created', 'failed']);
      expect(ended.stderr).toContain('2 changes: 1 created, 1 failed');
      expect(ended.stderr).toContain('the service created several for one request, or another run');
    },
  );

  it.each([2, 3])('a creation is not sent again where list %i, which would tell, fails', async (failing) => {
    const state = { lists: 0, posts: 0 };
    const { env } = await relayedService({
      before: (call) => {
        if (call === 'GET /teams' && ++state.lists >= failing) return httpAnswer(500, { message: 'no' });
        return call === 'POST /teams' && ++state.posts > 0 ? 'drop' : undefined;
      },
    });
    const file = organization({ teams: teams(1) });
    const { rows } = await apply(file, env, '--retries', '0');
    expect(rows).toMatchObject([{ result: 'outcome unknown' }]);
    expect(state.posts).toBe(1);
  });

  it('Ctrl-C leaves a row for everything: done, not known, not tried', async () => {
    let posts = 0;
    let stop = () => false;
    const after = (call: string) => {
      if (call !== 'POST /teams' || ++posts !== 12) return undefined;
      stop();
      return 'drop' as const;
    };
    const { env } = await relayedService({ after }, { quotas: { teams: 100 } });
    const file = organization({ teams: teams(60) });
    const { system, ended } = startCli(['apply', '-', '--yes', '-o', 'json'], { env, stdin: file });
    stop = () => system.raise('SIGINT');
    const end = await ended;
    expect(end.code).toBe(130);
    const rows = rowsOf(end);
    expect(rows).toHaveLength(60);
    const results = new Set(rows.map(({ result }) => result));
    expect(results).toEqual(new Set(['created', 'outcome unknown', 'not tried']));
    expect((await apply(file, env)).ended.code).toBe(0);
    expect(names(await listed('teams', env)).sort()).toEqual(names(teams(60)).sort());
  });

  it('Ctrl-C before the first change is the reason of every row', async () => {
    let lists = 0;
    let stop = () => false;
    const after = (call: string) => {
      // The second list is read just before the creation.
      if (call === 'GET /teams' && ++lists === 2) stop();
      return undefined;
    };
    const { env, direct } = await relayedService({ after });
    await apply(organization({ teams: [{ name: 'old' }] }), direct);
    const file = organization({ teams: teams(1) });
    const args = ['apply', '-', '--yes', '--prune=all', '-o', 'json'];
    const { system, ended } = startCli(args, { env, stdin: file });
    stop = () => system.raise('SIGINT');
    const rows = rowsOf(await ended);
    const interrupted = { result: 'not tried', error: 'interrupted' };
    expect(rows).toMatchObject([
      { name: 'team-0', ...interrupted },
      { name: 'old', ...interrupted },
    ]);
  });
});
