import { describe, expect, it } from 'vitest';
import { basicAuthorization } from '../../src/signing/index.js';
import { at, type Call, quotaHeadersOf } from './support/caller.js';
import { useServer } from './support/start.js';

const now = 1_750_000_000;
const context = useServer({ clock: () => now * 1000 });
const unknownKey = { keyId: 'key_unknown', secret: '0'.repeat(64) };

function send(call: Call, method = 'GET', target = '/quotas') {
  return context.caller.send(method, target, { timestamp: String(now), ...call });
}

async function disabledKey() {
  const created = await send({ body: { name: 'to be disabled' } }, 'POST', '/api-keys');
  const keyId = String(at(created.json, 'id'));
  await send({ body: { enabled: false } }, 'PATCH', `/api-keys/${keyId}`);
  return { keyId, secret: String(at(created.json, 'secret')) };
}

function basic(text: string) {
  return { auth: 'none', headers: { authorization: text } } as const;
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}

describe('what is accepted (reference, section 5)', () => {
  it('mode A, HTTP Basic', async () => {
    expect(await send({ auth: 'basic' })).toMatchObject({ status: 200 });
  });

  it('mode B, HMAC signature', async () => {
    expect(await send({})).toMatchObject({ status: 200 });
  });

  it('a Basic scheme in any case (RFC 9110, section 11.1)', async () => {
    const { keyId, secret } = context.server;
    expect(await send(basic(`bAsIc ${base64(`${keyId}:${secret}`)}`))).toMatchObject({ status: 200 });
  });

  it('Basic credentials with their padding, and not without it (RFC 7617)', async () => {
    const { id, secret } = await context.server.control.keys.issue({ id: 'key_unpadded' });
    const padded = base64(`${id}:${secret}`);
    const unpadded = padded.replace(/=+$/, '');
    expect(unpadded).not.toBe(padded);
    expect(await send(basic(`Basic ${padded}`))).toMatchObject({ status: 200 });
    expect((await send(basic(`Basic ${unpadded}`))).json).toEqual({
      statusCode: 401,
      message: 'Invalid Basic auth format',
    });
  });

  it('a body without a type, signed with an empty one', async () => {
    const untyped: Call = { body: '{}', contentType: '', headers: { 'content-type': undefined } };
    expect(await send(untyped, 'POST', '/teams')).toMatchObject({ status: 415 });
  });

  it.each([now - 300, now + 300])('a timestamp 5 minutes away: %d', async (timestamp) => {
    expect(await send({ timestamp: String(timestamp) })).toMatchObject({ status: 200 });
  });
});

describe('what is refused (reference, section 7)', () => {
  const refusals: [string, () => Call | Promise<Call>, number, string][] = [
    ['no credential [ours]', () => ({ auth: 'none' }), 401, 'Invalid API key'],
    [
      'both headers',
      () => ({ headers: { authorization: 'Basic eA==' } }),
      400,
      'Multiple credentials provided',
    ],
    ['both headers, empty', () => ({ headers: { authorization: '' } }), 400, 'Multiple credentials provided'],
    ['an unknown key, Basic', () => ({ auth: 'basic', credential: unknownKey }), 401, 'Invalid API key'],
    ['an unknown key, HMAC', () => ({ credential: unknownKey }), 401, 'Invalid API key'],
    ['an empty key, HMAC', () => ({ headers: { 'X-API-Key': '' } }), 401, 'Invalid API key'],
    [
      'a wrong secret, Basic',
      () => ({ auth: 'basic', credential: { ...context.caller.credential, secret: 'x' } }),
      401,
      'Invalid API key secret',
    ],
    [
      'a wrong secret, HMAC',
      () => ({ credential: { ...context.caller.credential, secret: 'x' } }),
      401,
      'Invalid API signature',
    ],
    ['another scheme', () => basic(`Bearer ${base64('key_a:b')}`), 401, 'Invalid Basic auth format'],
    ['no encoded credentials', () => basic('Basic'), 401, 'Invalid Basic auth format'],
    ['what is not base64', () => basic('Basic key_a:b'), 401, 'Invalid Basic auth format'],
    ['base64 with a wrong length', () => basic('Basic abcde'), 401, 'Invalid Basic auth format'],
    ['no colon', () => basic(`Basic ${base64('key_a')}`), 401, 'Invalid Basic auth format'],
    [
      'a disabled key, Basic',
      async () => ({ auth: 'basic', credential: await disabledKey() }),
      403,
      'API key is disabled',
    ],
    ['a disabled key, HMAC', async () => ({ credential: await disabledKey() }), 403, 'API key is disabled'],
    [
      'a signature missing',
      () => ({ headers: { 'X-API-Signature': undefined } }),
      401,
      'Invalid API signature',
    ],
    ['a signature empty', () => ({ headers: { 'X-API-Signature': '' } }), 401, 'Invalid API signature'],
    [
      'a signature of zeros',
      () => ({ headers: { 'X-API-Signature': '0'.repeat(64) } }),
      401,
      'Invalid API signature',
    ],
  ];

  it.each(refusals)('%s', async (_name, call, status, message) => {
    const answer = await send(await call());
    expect(answer.json).toEqual({ statusCode: status, message });
    expect(answer.status).toBe(status);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('a key that was disabled or deleted a moment ago', async () => {
    const created = await send({ body: { name: 'to be deleted' } }, 'POST', '/api-keys');
    const credential = { keyId: String(at(created.json, 'id')), secret: String(at(created.json, 'secret')) };
    expect((await send({ credential })).status).toBe(200);
    await send({ body: { enabled: false } }, 'PATCH', `/api-keys/${credential.keyId}`);
    expect((await send({ credential })).json).toEqual({ statusCode: 403, message: 'API key is disabled' });
    await send({}, 'DELETE', `/api-keys/${credential.keyId}`);
    expect((await send({ credential })).json).toEqual({ statusCode: 401, message: 'Invalid API key' });
  });

  it.each([
    ['missing', undefined],
    ['empty', ''],
    ['in milliseconds', `${now}000`],
    ['301 seconds behind', String(now - 301)],
    ['301 seconds ahead', String(now + 301)],
    ['with a sign', `+${now}`],
    ['with a fraction', `${now}.0`],
    ['in hexadecimal', '0x684f0000'],
    ['not a number', 'now'],
    ['given twice', `${now}, ${now}`],
  ])('a timestamp %s', async (_name, timestamp) => {
    const call: Call =
      timestamp === undefined ? { headers: { 'X-API-Timestamp': undefined } } : { timestamp };
    expect((await send(call)).json).toEqual({
      statusCode: 401,
      message: 'Invalid or missing X-API-Timestamp',
    });
  });
});

describe('the order of the checks', () => {
  const old = String(now - 1000);
  const wrong = { 'X-API-Signature': 'x' };

  it.each<[string, () => Call | Promise<Call>, string]>([
    [
      'both credentials before their format',
      () => ({ headers: { authorization: 'rubbish' } }),
      'Multiple credentials provided',
    ],
    ['the format before the key', () => basic(`Basic ${base64('key_unknown')}`), 'Invalid Basic auth format'],
    ['the key before the timestamp', () => ({ credential: unknownKey, timestamp: old }), 'Invalid API key'],
    [
      'the timestamp before the signature',
      () => ({ timestamp: old, headers: wrong }),
      'Invalid or missing X-API-Timestamp',
    ],
    [
      'the signature before disabled',
      async () => ({ credential: await disabledKey(), headers: wrong }),
      'Invalid API signature',
    ],
    [
      'the secret before disabled',
      async () => ({ auth: 'basic', credential: { ...(await disabledKey()), secret: 'x' } }),
      'Invalid API key secret',
    ],
  ])('%s', async (_name, call, message) => {
    expect((await send(await call())).json).toMatchObject({ message });
  });

  it.each(['GET', 'POST', 'PUT', 'OPTIONS', 'HEAD'])(
    'authentication before the route: %s',
    async (method) => {
      expect((await send({ auth: 'none' }, method, '/nowhere')).status).toBe(401);
      expect((await send({}, method, '/nowhere')).status).toBe(404);
    },
  );

  it('authentication before a target that cannot be decoded', async () => {
    expect((await send({ auth: 'none' }, 'GET', '/quotas/%zz')).status).toBe(401);
    expect((await send({}, 'GET', '/quotas/%zz')).json).toEqual({ statusCode: 404, message: 'Not Found' });
  });

  it('authentication before the body', async () => {
    const broken = { body: '{', auth: 'basic' } as const;
    expect((await send({ ...broken, credential: unknownKey }, 'POST', '/teams')).status).toBe(401);
    expect((await send(broken, 'POST', '/teams')).status).toBe(400);
  });

  it('disabled before the route', async () => {
    expect((await send({ credential: await disabledKey() }, 'GET', '/nowhere')).status).toBe(403);
  });

  it('the route before the body', async () => {
    const call = { body: '{', contentType: ';' };
    expect((await send(call, 'POST', '/nowhere')).json).toEqual({ statusCode: 404, message: 'Not Found' });
    expect((await send(call, 'PUT', '/teams')).status).toBe(404);
  });
});

describe('quota headers of refusals', () => {
  it('are absent while the organization is not known', async () => {
    const unknown: Call[] = [
      { auth: 'none' },
      { credential: unknownKey },
      { credential: unknownKey, auth: 'basic' },
      basic('Basic ?'),
      { headers: { 'X-API-Key': 'key_unknown', authorization: 'Basic ?' } },
    ];
    for (const call of unknown) {
      expect(quotaHeadersOf(await send(call, 'GET', '/teams'))).toEqual([undefined, undefined, undefined]);
    }
  });

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

  it('are there once it is', async () => {
    for (const target of ['/teams/team_none', '/teams/a/b', '/teams/%zz', '/teams?page=0']) {
      expect(quotaHeadersOf(await send({}, 'GET', target))).toEqual(['20', '0', '20']);
    }
    expect(quotaHeadersOf(await send({}, 'GET', '/teamsters'))).toEqual([undefined, undefined, undefined]);
  });
});
