import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { errorOf, runCli, temporaryDirectory } from '../support/run-cli.js';
import { fileOf } from './support/connection-entries.js';
import { apply, organization } from './support/organization.js';
import { type Answer, quotaAnswer, scriptedService } from './support/scripted-service.js';

function serviceOf(answers: Readonly<Record<string, Answer>>) {
  return scriptedService({
    'GET /connections': () => httpAnswer(200, []),
    'GET /api-keys': () => httpAnswer(200, [{ id: 'key_test', name: 'signs' }]),
    'GET /quotas': () => quotaAnswer(10),
    ...answers,
  });
}

describe('a service that gives another name than was sent', () => {
  const old = { id: 'team_9', name: 'old' };
  const hint = 'first write each name in the file as the service stores it; run the same command to continue';

  it('makes a creation fail, with the name and the ID, and nothing is deleted after it', async () => {
    const { env, peer } = await serviceOf({
      'GET /teams': () => httpAnswer(200, [old]),
      'POST /teams': () => httpAnswer(201, { id: 'team_1', name: 'tsp' }),
    });
    const { ended, rows } = await apply(organization({ teams: [{ name: ' tsp' }] }), env, '--prune=all');
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([
      { name: ' tsp', id: 'team_1', result: 'failed', code: 'server', team: { name: 'tsp' } },
      { name: 'old', result: 'not tried' },
    ]);
    expect(rows[0]?.['error']).toMatch(/^created as "tsp", although " tsp" was sent/);
    expect(errorOf(ended)['hint']).toBe(hint);
    expect(peer.requests.some(({ method }) => method === 'DELETE')).toBe(false);
  });

  it('or another type makes a creation fail, which the next run would change again', async () => {
    const { env } = await serviceOf({
      'POST /connections': () => httpAnswer(201, { id: 'conn_1', name: 'a', type: 'mariadb' }),
    });
    const file = organization({ connections: [{ name: 'a', type: 'mysql', config: { host: 'h' } }] });
    const { ended, rows } = await apply(file, env);
    expect([ended.code, rows]).toMatchObject([12, [{ id: 'conn_1', result: 'failed', code: 'server' }]]);
    expect(rows[0]?.['error']).toMatch(/^created with the type "mariadb", although "mysql" was sent/);
  });

  it('makes a renaming fail, which the next run would take for a creation', async () => {
    const { env } = await serviceOf({
      'GET /teams': () => httpAnswer(200, [old]),
      'GET /teams/team_9': () => httpAnswer(200, { ...old, name: 'tsp' }),
      'PATCH /teams/team_9': () => httpAnswer(200, { ...old, name: 'tsp' }),
    });
    const file = organization({ teams: [{ name: 'tsp ', renamed_from: 'old' }] });
    const { ended, rows } = await apply(file, env);
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([{ id: 'team_9', result: 'failed', code: 'server', team: { name: 'tsp' } }]);
    expect(rows[0]?.['error']).toMatch(/^changed as "tsp", although "tsp " was sent/);
    expect(errorOf(ended)['hint']).toBe(hint);
  });

  it('is named as the former one, if that is what it is', async () => {
    const { env } = await serviceOf({
      'GET /teams': () => httpAnswer(200, [old]),
      'PATCH /teams/team_9': () => httpAnswer(200, old),
    });
    const { ended, rows } = await apply(organization({ teams: [{ name: 'Old', id: 'team_9' }] }), env);
    const error = expect.stringContaining('the resource has name: "old", although "Old" was sent');
    expect(ended.code).toBe(12);
    expect(rows).toMatchObject([{ id: 'team_9', result: 'outcome unknown', code: 'server', error }]);
  });

  it.each([
    ['was not made', () => httpAnswer(200, old)],
    ['cannot be looked up', () => httpAnswer(500, {})],
  ])('is not blamed where a renaming %s', async (_what, shown) => {
    const { env } = await serviceOf({
      'GET /teams': () => httpAnswer(200, [old]),
      'GET /teams/team_9': shown,
      'PATCH /teams/team_9': () => httpAnswer(200, old),
    });
    const file = organization({ teams: [{ name: 'new', renamed_from: 'old' }] });
    const { ended, rows } = await apply(file, env, '--retries', '0');
    expect(rows).toMatchObject([{ id: 'team_9', result: 'outcome unknown', code: 'server' }]);
    expect(errorOf(ended)['hint']).toBe('run the same command to continue');
  });

  it('names changes for which the service has no call', async () => {
    const { env } = await serviceOf({
      'GET /teams': () => httpAnswer(200, [old]),
      'PATCH /teams/team_9': () => httpAnswer(405, {}),
    });
    const { ended } = await apply(organization({ teams: [{ name: 'new', renamed_from: 'old' }] }), env);
    expect(errorOf(ended)['hint']).toMatch(/^take changes for which the service has no call out of the file/);
  });

  it('leaves out --prune where the service has no DELETE', async () => {
    const { env } = await serviceOf({
      'GET /teams': () =>
        httpAnswer(
          200,
          ['a', 'b', 'c', 'd'].map((name) => ({ id: `team_${name}`, name })),
        ),
      'DELETE /teams/team_d': () => httpAnswer(405, {}),
    });
    const file = organization({ teams: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    const { ended } = await apply(file, env, '--prune');
    expect(errorOf(ended)).toMatchObject({
      exitCode: 12,
      hint: 'run the same command without --prune to continue',
    });
  });

  it('gets no second creation, if the first may be there under that name', async () => {
    const { env, posted } = await serviceOf({
      'GET /teams': () => httpAnswer(200, posted().length === 0 ? [] : [{ id: 'team_1', name: 'ops' }]),
      'POST /teams': (_request, socket) => void socket.destroy(),
    });
    const file = organization({ teams: [{ name: 'Ops' }] });
    const { rows } = await apply(file, env);
    const error = expect.stringContaining('this name, or one close to it, now belongs to team_1');
    expect([rows, posted().length]).toEqual([[expect.objectContaining({ name: 'Ops', error })], 1]);
    const again = await apply(file, env);
    const problem = expect.stringContaining('teams[0].name: may be "ops" (team_1)');
    expect([again.ended.code, errorOf(again.ended)['message']]).toEqual([2, problem]);
  });

  it.each([500, 202])('may be listed late after %i, so that the hint is to wait', async (status) => {
    const { env } = await serviceOf({
      'GET /teams': () => httpAnswer(200, []),
      'POST /teams': () => httpAnswer(status, { job: 'job_1' }),
    });
    const { ended } = await apply(organization({ teams: [{ name: 'ops' }] }), env, '--retries', '0');
    expect(errorOf(ended)['hint']).toMatch(/^wait a minute, .*; then run the same command to continue$/);
  });

  it('may create an accepted key late, too', async () => {
    const { env } = await serviceOf({
      'GET /teams': () => httpAnswer(200, []),
      'POST /api-keys': () => httpAnswer(202, { id: 'key_new', name: 'ci', secret: 's'.repeat(64) }),
    });
    const path = join(temporaryDirectory(), 'ci.secret');
    const file = organization({ 'api-keys': [{ name: 'ci', secret_to: { file: path } }] });
    const { ended } = await apply(file, env);
    expect([ended.code, readFileSync(path, 'utf8').trim()]).toEqual([12, 's'.repeat(64)]);
    expect(ended.stderr).toContain('"hint":"wait a minute, ');
  });

  it('is none that answers without a name', async () => {
    const { env } = await serviceOf({
      'GET /teams': () => httpAnswer(200, []),
      'POST /teams': () => httpAnswer(201, { id: 'team_1' }),
    });
    expect((await apply(organization({ teams: [{ name: ' tsp' }] }), env)).ended.code).toBe(0);
  });
});

describe('a service with unique names', () => {
  /** Teams `n1` to `n12`, of which the file calls each by the name before it, and a new `n12`. */
  async function renameChain(refuses: (id: string) => boolean) {
    const numbers = Array.from({ length: 12 }, (_, at) => at + 1);
    const teams = new Map(numbers.map((at) => [`team_${at}`, `n${at}`]));
    const nameTeam =
      (id: string): Answer =>
      ({ body }) => {
        const { name } = JSON.parse(body.toString('utf8'));
        if (refuses(id) || [...teams.values()].includes(name)) return httpAnswer(409, { message: 'taken' });
        teams.set(id, name);
        return httpAnswer(200, { id, name });
      };
    const list = () => [...teams].map(([id, name]) => ({ id, name }));
    const { env } = await serviceOf({
      'GET /teams': () => httpAnswer(200, list()),
      'POST /teams': nameTeam('team_13'),
      ...Object.fromEntries([...teams.keys()].map((id) => [`PATCH /teams/${id}`, nameTeam(id)])),
    });
    const entries = numbers.map((at) => ({ id: `team_${at}`, name: `n${at - 1}` }));
    const file = organization({ teams: [{ name: 'n12' }, ...entries.toReversed()] });
    return apply(file, env);
  }

  it('gets the renames of a chain one after the other, and then the new resource', async () => {
    const { ended, rows } = await renameChain(() => false);
    expect(ended.code).toBe(0);
    expect(rows.map(({ name }) => name)).toEqual(Array.from({ length: 13 }, (_, at) => `n${at}`));
  });

  it('gets none of those that need a name which a failed one did not free', async () => {
    const { ended, rows } = await renameChain((id) => id === 'team_3');
    expect(ended.code).toBe(12);
    const failed = Array(10).fill('not tried');
    expect(rows.map(({ result }) => result)).toEqual(['changed', 'changed', 'failed', ...failed]);
    expect(rows[3]).toMatchObject({ name: 'n3', error: 'team_3 may still have this name' });
  });

  const made = { name: 'new', result: 'created' };
  const pruned = { name: 'b', id: 'team_2', result: 'deleted' };
  const notTried = { result: 'not tried' };
  const onto = { name: 'b', ...notTried, error: 'team_2 may still have this name' };
  it.each([
    ['after what frees it, before other deletions', 201, [made, pruned, { result: 'changed' }, {}]],
    ['not after a failure', 500, [{ ...made, result: 'failed' }, { ...pruned, ...notTried }, onto, notTried]],
  ] as const)('gets a rename onto a name that --prune frees %s', async (_what, status, expected) => {
    const existing = new Map(
      ['a', 'b', 'other'].map((name, at) => [`team_${at + 1}`, { id: `team_${at + 1}`, name }]),
    );
    const deleting = (id: string) => () => {
      existing.delete(id);
      return 'HTTP/1.1 204 No Content\r\n\r\n';
    };
    const { env } = await serviceOf({
      'GET /teams': () => httpAnswer(200, [...existing.values()]),
      'POST /teams': () => httpAnswer(status, { id: 'team_4', name: 'new' }),
      'PATCH /teams/team_1': () =>
        httpAnswer(existing.has('team_2') ? 409 : 200, { id: 'team_1', name: 'b' }),
      'DELETE /teams/team_2': deleting('team_2'),
      'DELETE /teams/team_3': deleting('team_3'),
    });
    const file = organization({ teams: [{ name: 'b', id: 'team_1' }, { name: 'new' }] });
    const { ended, rows } = await apply(file, env, '--prune=all');
    expect(rows).toMatchObject(expected);
    expect(rows.at(-1)).toMatchObject({ name: 'other', id: 'team_3' });
    expect(ended.code).toBe(status === 500 ? 12 : 0);
  });
});

it.each([
  ['--prune', 'y\ry\r'],
  ['--prune=all', 'y\r'],
  ['--prune --yes', 'y\r'],
])('an organization that changes during a question is compared once more: %s', async (options, stdin) => {
  const [a, b] = [
    { id: 'team_1', name: 'a' },
    { id: 'team_2', name: 'b' },
  ];
  const { env, peer } = await serviceOf({
    'GET /teams': ({ nth }) => httpAnswer(200, [a, nth === 0 ? b : { ...b, name: 'precious' }]),
  });
  const path = fileOf(organization({ teams: [{ name: 'a' }] }), 'org.yaml');
  const ended = await runCli(['apply', path, ...options.split(' '), '-o', 'json'], {
    env,
    isTTY: true,
    stdin,
  });
  expect(ended).toMatchObject({ code: 14, stdout: '' });
  expect(JSON.parse(ended.stderr.trimEnd().split('\n').at(-1) ?? '').error.message).toBe(
    'the organization changed while you were asked: team "b", team "precious"; nothing was applied',
  );
  expect(peer.requests.every(({ method }) => method === 'GET')).toBe(true);
});
