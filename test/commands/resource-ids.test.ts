import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { runCli } from '../support/run-cli.js';
import { organization, planOf, rowsOf } from './support/organization.js';
import { quotaAnswer, type ScriptedService, scriptedService } from './support/scripted-service.js';

/** A service whose list of teams is this JSON text at the n-th request; DELETE and PATCH of anything succeed. */
function withTeams(texts: readonly string[], changes: readonly string[] = []): Promise<ScriptedService> {
  const raw = (json: string) =>
    `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${Buffer.byteLength(json)}\r\nX-Total-Count: ${JSON.parse(json).length}\r\n\r\n${json}`;
  return scriptedService({
    'GET /teams': ({ nth }) => raw(texts[Math.min(nth, texts.length - 1)] ?? '[]'),
    'GET /connections': () => httpAnswer(200, []),
    'GET /api-keys': () => httpAnswer(200, [{ id: 'key_test', name: 'signs' }]),
    'GET /quotas': () => quotaAnswer(10),
    ...Object.fromEntries(
      changes.map((call) => [
        call,
        () =>
          call.startsWith('DELETE') ? 'HTTP/1.1 204 No Content\r\n\r\n' : httpAnswer(200, { name: 'a' }),
      ]),
    ),
  });
}

const none = organization({ teams: [] });

describe('a number', () => {
  const long = '9007199254740993123';

  it.each([long, '0'])('is an ID that goes out digit by digit: %s', async (id) => {
    const json = `[{"id":${id},"name":"a"}]`;
    const { env, peer } = await withTeams([json], [`DELETE /teams/${id}`, `PATCH /teams/${id}`]);
    const { plan } = await planOf(none, env, '--prune');
    expect(plan.changes).toMatchObject([{ action: 'delete', name: 'a', id }]);
    const applied = await runCli(['apply', '-', '--yes', '--prune=all', '-o', 'json'], { env, stdin: none });
    expect(rowsOf(applied)).toEqual([{ kind: 'teams', name: 'a', id, result: 'deleted' }]);
    expect((await runCli(['teams', 'delete', 'a', '--yes'], { env })).code).toBe(0);
    expect((await runCli(['teams', 'update', 'a', '--name', 'a'], { env })).code).toBe(0);
    const changed = peer.requests.filter(({ method }) => method !== 'GET');
    expect(changed.map(({ target }) => target)).toEqual(Array(3).fill(`/teams/${id}`));
  });

  it('pins an entry, is what export pins one of two namesakes by, and is completed', async () => {
    const { env } = await withTeams([`[{"id":${long},"name":"a"},{"id":7,"name":"a"}]`]);
    const exported = await runCli(['export', '-o', 'json'], { env });
    expect(JSON.parse(exported.stdout)).toMatchObject({
      teams: [
        { name: 'a', id: '7' },
        { name: 'a', id: long },
      ],
    });
    expect((await planOf(exported.stdout, env)).plan.changes).toEqual([]);
    const completed = await runCli(['__complete', '--', 'teams', 'get', ''], { env });
    expect(completed.stdout).toContain(long);
  });
});
