import { describe, expect, it } from 'vitest';
import { basicAuthorization } from '../../src/signing/index.js';
import { at, type Call, quotaHeadersOf } from '../support/caller.js';
import { useServer } from '../support/servers.js';

const now = 1_750_000_000;
const context = useServer({ clock: () => now * 1000 });
const unknownKey = { keyId: 'key_unknown', secret: '0'.repeat(64) };

function send(call: Call, method = 'GET', target = '/quotas') {
  return context.caller.send(method, target, { timestamp: String(now), ...call });
}

async function disabledKey() {
  const created = await send({ body: { name: 'to be disabled' } }, 'POST', '/api-keys');
  const keyId = String(at(created.json, 'id'));
  const credential = { keyId, secret: String(at(created.json, 'secret')) };
  expect((await send({ credential })).status).toBe(200);
  await send({ body: { enabled: false } }, 'PATCH', `/api-keys/${keyId}`);
  return credential;
}

// What is accepted and what is refused, and in which order: test/http/credentials.test.ts.
describe('the order of the checks', () => {
  it('authentication before the route', async () => {
    for (const method of ['GET', 'POST', 'PUT', 'OPTIONS', 'HEAD']) {
      expect((await send({ auth: 'none' }, method, '/nowhere')).status).toBe(401);
      expect((await send({}, method, '/nowhere')).status).toBe(404);
    }
    expect((await send({ credential: await disabledKey() }, 'GET', '/nowhere')).status).toBe(403);
    expect((await send({ auth: 'none' }, 'GET', '/quotas/%zz')).status).toBe(401);
    expect((await send({}, 'GET', '/quotas/%zz')).json).toEqual({ statusCode: 404, message: 'Not Found' });
    expect((await send({}, 'GET', '/quotas?broken=%zz')).status).toBe(200);
  });

  it('authentication before the body, and the route before it', async () => {
    const broken = { body: '{', auth: 'basic' } as const;
    expect((await send({ ...broken, credential: unknownKey }, 'POST', '/teams')).status).toBe(401);
    expect((await send(broken, 'POST', '/teams')).status).toBe(400);
    const untyped = { body: '{', contentType: ';' };
    expect((await send(untyped, 'POST', '/nowhere')).status).toBe(404);
    expect((await send(untyped, 'PUT', '/teams')).status).toBe(404);
  });
});

describe('quota headers of refusals', () => {
  const own = (secret = 'x') => ({ keyId: context.server.keyId, secret });
  it.each<[number, string, () => Call | Promise<Call>]>([
    [401, 'a wrong secret', () => ({ auth: 'basic', credential: own() })],
    [401, 'a wrong signature', () => ({ credential: own() })],
    [401, 'no signature', () => ({ headers: { 'X-API-Signature': undefined } })],
    [401, 'an old timestamp', () => ({ timestamp: '0' })],
    [403, 'a disabled key', async () => ({ credential: await disabledKey() })],
    [400, 'two credentials', () => ({ headers: { authorization: 'Basic ?' } })],
    [400, 'two credentials of one key', () => ({ headers: { authorization: basicAuthorization(own()) } })],
    [400, 'a body that does not fit', () => ({ body: {} })],
    [415, 'another content type', () => ({ body: 'a', contentType: 'text/plain' })],
  ])('are there with %i for %s of a known key, on every method', async (status, _name, call) => {
    for (const method of [
      'POST',
      ...(status < 404 && status !== 400 ? ['GET', 'PATCH', 'DELETE', 'PUT'] : []),
    ]) {
      const answer = await send(await call(), method, '/teams');
      expect(answer.status).toBe(status);
      expect(quotaHeadersOf(answer)).toEqual(['20', '0', '20']);
    }
  });
});
