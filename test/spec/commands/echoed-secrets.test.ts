import { join } from 'node:path';
import { expect, it } from 'vitest';
import { httpAnswer } from '../../support/hostile-peer.js';
import { apply, entry, organization } from '../../support/organization.js';
import { runCli, temporaryDirectory } from '../../support/run-cli.js';
import { createdAnswer, pageAnswer, quotaAnswer, scriptedService } from '../support/scripted-service.js';

const password = 'PW "4/ü\\ 11';

const empty = pageAnswer([], { total: 0, page: 1, pages: 1 });
const flags = ['--host', 'db', '--database', 'app', '--user', 'app', '--type', 'postgresql'];
const create = ['connections', 'create', '--name', 'app', ...flags, '--password-stdin'];

async function refusing(answer: string) {
  const { env } = await scriptedService({
    'POST /connections': () => answer,
    'GET /connections': () => empty,
    'GET /quotas': () => quotaAnswer(10),
  });
  return { ...env, APP_DB_PASSWORD: password };
}

/** A refusal that quotes a password, in each place where one may stand. */
const refusals: readonly (readonly [string, (said: string) => string])[] = [
  ['a message', (said) => httpAnswer(400, { statusCode: 400, message: said })],
  ['several messages', (said) => httpAnswer(422, { message: ['no', said] })],
  ['an error', (said) => httpAnswer(500, { error: { message: said } })],
  ['a text', (said) => httpAnswer(502, said, { 'Content-Type': 'text/plain' })],
  ['a redirect', () => httpAnswer(302, '', { Location: `/weak/${encodeURIComponent(password)}` })],
];
// In which forms it is found: test/unit/redact.test.ts.
it.each(refusals)('a password that a refusal quotes is masked in %s', async (_where, refusal) => {
  const env = await refusing(refusal(`config.password ${password} is too weak`));
  for (const more of [[], ['-o', 'json', '-v']]) {
    const ended = await runCli([...create, ...more], { env, stdin: password });
    expect(ended.code).toBeGreaterThanOrEqual(10);
    expect(ended.stdout + ended.stderr).not.toContain('11 is too weak');
    expect(ended.stdout + ended.stderr).not.toMatch(/PW(?! is| \*)/);
  }
  const applied = await apply(organization({ connections: [entry('app')] }), env);
  expect(applied.ended.code).toBe(12);
  expect(applied.ended.stdout + applied.ended.stderr).not.toContain('PW');
});

it('masks what was cut off or ran over only as a whole', async () => {
  const long = `PW${'x'.repeat(300)}`;
  const env = await refusing(httpAnswer(400, { message: `${'y'.repeat(400)} ${long}` }));
  const ended = await runCli(create, { env, stdin: long });
  expect(ended).toMatchObject({ code: 14, stderr: expect.not.stringContaining('PWx') });
});

it.each([
  ['not JSON', `weak: ${password}`],
  ['truncated', '{"id":"conn_1","config":{"password":"PW 4'],
])('an answer to a creation is quoted in no error: %s', async (_name, body) => {
  const env = await refusing(httpAnswer(201, body));
  const ended = await runCli(create, { env, stdin: password });
  expect(ended.code).toBe(10);
  expect(ended.stderr).not.toContain('PW');
});

it('rows of apply have only what is harmless of a new connection, and of a key whose secret goes elsewhere', async () => {
  const secret = `${'Zq7'.repeat(21)}x`;
  const { env } = await scriptedService({
    'POST /connections': createdAnswer,
    'GET /connections': () => empty,
    'POST /api-keys': () =>
      httpAnswer(201, { id: 'key_new', name: 'ci', secret, token: secret, nested: { secret } }),
    'GET /api-keys': () => empty,
    'GET /quotas': () => quotaAnswer(10),
  });
  const file = join(temporaryDirectory(), 'secret');
  const text = organization({
    connections: [entry('app')],
    'api-keys': [{ name: 'ci', secret_to: { file } }],
  });
  const { ended, rows } = await apply(text, { ...env, APP_DB_PASSWORD: password });
  expect(ended.code).toBe(0);
  expect(rows.map(({ result }) => result)).toEqual(['created', 'created']);
  expect(ended.stdout).not.toContain('PW');
  expect(ended.stdout + ended.stderr).not.toContain(secret);
  expect(rows[0]).toMatchObject({
    connection: { name: 'app', config: { host: 'db', password: '********' } },
  });
});
