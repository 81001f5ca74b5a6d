import { describe, expect, it } from 'vitest';
import type { LogEntry } from '../../src/server/index.js';
import { explainBrokenEscape, explainUnknownPath } from '../../src/server/routes/explain-not-found.js';
import { basicAuthorization, hmacSignature } from '../../src/signing/index.js';
import { at, type Call } from './support/caller.js';
import { useServer } from './support/start.js';

const log: LogEntry[] = [];
/** The server's time stands still, however long a request takes. */
const stoppedAt = Date.now();
const running = useServer({
  quotas: { teams: 0 },
  clock: () => stoppedAt,
  onLog: (entry) => log.push(entry),
});

/** Sends a request, and answers what journal and log tell of it, of which `text` is all. */
async function tellOf(method: string, target: string, call: Call = {}) {
  const { journal } = running.server.control;
  await journal.clear();
  log.length = 0;
  const answer = await running.caller.send(method, target, call);
  const [entry] = await journal.get();
  await expect.poll(() => log.length).toBe(1);
  return {
    status: answer.status,
    message: at(answer.json, 'message'),
    refusal: entry?.refusal,
    logged: log[0],
    text: JSON.stringify([entry, log]),
  };
}

const now = () => String(Math.floor(stoppedAt / 1000));

describe('which check failed, in the order of the checks', () => {
  const own = (secret: string) => ({ keyId: running.server.keyId, secret });
  const unknown = { credential: { keyId: 'key_none', secret: 's' } };
  const old = { timestamp: '1000000000' };
  const untyped = { body: 'a', contentType: 'text/plain' };

  // What each check of a credential says: test/signing/verify-request.test.ts.
  it.each<[string, () => Call, string, number, string, RegExp]>([
    ['no credential', () => ({ auth: 'none' }), 'GET /quotas', 401, 'credentials', /no credential/],
    ['an unknown key', () => unknown, 'GET /quotas', 401, 'key', /key_none/],
    ['another time', () => old, 'GET /quotas', 401, 'timestamp', /the limit is 300/],
    ['another secret', () => ({ credential: own('s') }), 'GET /quotas', 401, 'signature', /wrong secret, or/],
    ['an unknown path', () => ({}), 'GET /nothing', 404, 'route', /no path/],
    ['a broken escape', () => ({}), 'GET /teams/50%', 404, 'route', /malformed escape/],
    ['an unknown ID', () => ({}), 'DELETE /teams/team_1', 404, 'route', /no resource with this ID/],
    ['an unknown page', () => ({}), 'GET /teams?page=0', 400, 'query', /page must be/],
    ['a body that does not fit', () => ({ body: { name: 1 } }), 'POST /teams', 400, 'body', /name/],
    ['another content type', () => untyped, 'POST /teams', 415, 'body', /application\/json/],
    ['a full quota', () => ({ body: { name: 'a' } }), 'POST /teams', 403, 'quota', /maximum 0 teams/],
  ])('%s', async (_name, call, line, status, check, reason) => {
    const [method = '', target = ''] = line.split(' ');
    const told = await tellOf(method, target, call());
    expect(told.status).toBe(status);
    expect(told.refusal).toMatchObject({ check, reason: expect.stringMatching(reason) });
    expect(told.logged).toMatchObject({ event: 'request', status, ...told.refusal });
    if (status === 404) expect(told.message).toBe('Not Found');
  });

  it('of two credentials, with the key of mode B', async () => {
    const basic = basicAuthorization({ keyId: 'key_basic', secret: 's' });
    const told = await tellOf('GET', '/quotas', { headers: { authorization: basic } });
    expect(told.logged).toMatchObject({ status: 400, keyId: running.server.keyId });
  });
});

describe('a disabled key', () => {
  it('is named, with the command that enables it; and one that was revoked', async () => {
    const { keys } = running.server.control;
    const { id, secret } = await keys.issue();
    await keys.disable(id);
    const told = await tellOf('GET', '/quotas', { credential: { keyId: id, secret } });
    expect(told.message).toBe('API key is disabled');
    const enable = (key: string) => `${key} is disabled; enable it: orgctl local keys enable ${key}`;
    expect(told.refusal).toEqual({ check: 'enabled', reason: enable(id) });
    await keys.revoke(id);
    const revoked = await tellOf('GET', '/quotas', { credential: { keyId: id, secret } });
    expect(revoked.refusal).toMatchObject({ check: 'key', reason: expect.stringContaining('revoked') });
  });
});

it('a signature over a large body is not searched for mistakes, and of the body only the beginning is told', async () => {
  const credential = { keyId: running.server.keyId, secret: 's'.repeat(64) };
  const { refusal, text } = await tellOf('POST', '/teams', { body: 'x'.repeat(17_000), credential });
  expect(refusal?.reason).toContain('over 16 KiB');
  expect(text.length).toBeLessThan(20_000);
});

describe('what is never told', () => {
  it('is a secret, a password, a signature or credentials', async () => {
    const { keyId, secret } = running.server;
    const other = 'o'.repeat(64);
    const config = { host: 'h', port: 1, database: 'd', user: 'u', password: 'hunter2', ssl: 1 };
    const body = { name: 'c', type: 'pg', config };
    const timestamp = now();
    const right = hmacSignature(secret, Buffer.from(`GET\n/quotas?a=b\n${timestamp}\n\n`));
    const credentials = basicAuthorization({ keyId, secret }).slice(6);
    const signed = { 'x-api-key': keyId, 'x-api-timestamp': timestamp, 'x-api-signature': right };
    const rightly = { auth: 'none', headers: signed } as const;
    const calls: [string, string, Call][] = [
      // A wrong signature over a body with a password, and one that is refused for the body itself.
      ['POST', '/connections', { body, credential: { keyId, secret: other } }],
      ['POST', '/connections', { body }],
      ['POST', '/connections', { body, auth: 'basic' }],
      // The secret where it does not belong.
      ['GET', '/quotas', { auth: 'none', headers: { 'x-api-key': secret } }],
      ['GET', `/quotas?secret=${secret}`, { credential: { keyId, secret: other } }],
      ['GET', `/quotas?s=${secret}`, { auth: 'none' }],
      ['GET', `/${secret}`, {}],
      ['POST', '/teams', { body: `{"name":"${secret}"}`, credential: { keyId, secret: other } }],
      ['GET', '/quotas', { auth: 'basic', credential: { keyId: secret, secret: keyId } }],
      // A signature that is right, for another request or beside another credential.
      ['GET', '/quotas', rightly],
      ['GET', '/quotas?a=b', { ...rightly, headers: { ...rightly.headers, authorization: 'Basic eDp5' } }],
    ];
    for (const [method, target, call] of calls) {
      const { text } = await tellOf(method, target, call);
      for (const hidden of [secret, other, 'hunter2', right, credentials, 'eDp5']) {
        expect(text, `${method} ${target}`).not.toContain(hidden);
      }
    }
    // Nor is what should have been sent: the signature of the very request that was refused.
    const { text, refusal } = await tellOf('GET', '/quotas', {
      credential: { keyId, secret: other },
      timestamp,
    });
    expect(refusal?.check).toBe('signature');
    expect(text).not.toContain(hmacSignature(secret, Buffer.from(`GET\n/quotas\n${timestamp}\n\n`)));
  });
});

describe('what is said of a path that there is not', () => {
  const meant = { advice: 'did you mean /teams', remedy: { step: 'edit', path: '/teams' } };
  const methods = 'methods of this path: GET, PATCH, DELETE';
  const patch = { step: 'edit', method: 'PATCH' };

  it.each<[string, string, object]>([
    ['GET', '/team', { reason: 'the API has no path /team', ...meant }],
    ['GET', '/teams/', { reason: 'the API has no path /teams/', ...meant }],
    ['GET', '/entirely/elsewhere', { reason: 'the API has no path /entirely/elsewhere' }],
    ['GET', `/${'s'.repeat(64)}`, { reason: 'the API has no path /********' }],
    ['PUT', '/teams/team_1', { reason: '/teams/{id} has no PUT', advice: methods, remedy: patch }],
  ])('%s %s', (method, path, explanation) => {
    expect(explainUnknownPath(method, path)).toEqual(explanation);
  });

  it.each(['/teams/%zz?a=%41', '/teams/50%', '/teams/%C3%A9%ff%fe'])('%s', (target) => {
    expect(explainBrokenEscape(target)?.reason).toMatch(/malformed escape, or escapes that are not UTF-8/);
    expect(explainBrokenEscape('/teams/%C3%A9?a=%zz')).toBeUndefined();
  });
});
