import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { httpAnswer } from '../support/hostile-peer.js';
import { temporaryDirectory } from '../support/run-cli.js';
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
    expect(rows[0]?.['error']).toMatch(/^created with the name "tsp", although " tsp" was sent/);
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

  it('may create an accepted key late, too', async () => {
    const { env } = await serviceOf({
      'GET /teams': () => httpAnswer(200, []),
      'POST /api-keys': () => httpAnswer(202, { id: 'key_new', name: 'ci', secret: 's'.repeat(64) }),
    });
    const path = join(temporaryDirectory(), 'ci.secret');
    const file = organization({ 'api-keys': [{ name: 'ci', secret_to: { file: path } }] });
    const { ended } = await apply(file, env);
    expect([ended.code, readFileSync(path, 'utf8').trim()]).toEqual([12, 's'.repeat(64)]);
    expect(ended.stderr).toContain('if an outcome is unknown, wait a minute first');
  });
});
