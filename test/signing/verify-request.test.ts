import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  basicAuthorization,
  canonicalString,
  hmacSignature,
  signedHeaders,
  UsageError,
  type VerifyOptions,
  verifyRequest,
  verifySignature,
} from '../../src/signing/index.js';

const secret = 's'.repeat(64);
const keys = new Map([
  ['key_on', { secret, team: 'ops' }],
  ['key_off', { secret, team: 'ops', enabled: false }],
]);
const now = Date.UTC(2026, 2, 1);
const body = Buffer.from('{"name":"Zoë"}');

/** What a client sends: signed with a key, then changed. */
function request({ keyId = 'key_on', at = now, changes = {} as object, headers = {} as object } = {}) {
  const signed = { method: 'POST', target: '/teams?a=1', contentType: 'application/json', body };
  const timestamp = String(at / 1000);
  const authentication = signedHeaders({ keyId, secret }, { ...signed, timestamp });
  const all = new Headers({ 'content-type': 'application/json', ...authentication, ...headers });
  return { ...signed, headers: all, ...changes };
}

function verify(received: Parameters<typeof verifyRequest>[0], options: VerifyOptions = {}) {
  return verifyRequest(received, (keyId) => keys.get(keyId), { clock: () => now, ...options });
}

// What is refused, and in which order: scheme.test.ts.
describe('verifyRequest', () => {
  it('accepts what was signed, and hands on the key that was found', async () => {
    const key = { secret, team: 'ops' };
    expect(await verify(request())).toEqual({ accepted: true, keyId: 'key_on', key });
    const headers = Object.fromEntries(request().headers);
    expect(await verify({ ...request(), headers })).toMatchObject({ accepted: true });
  });

  const basic = (keyId: string, of = secret) => ({
    headers: { authorization: basicAuthorization({ keyId, secret: of }) },
  });
  const mismatch = [
    401,
    'signature',
    'Invalid API signature',
    'the signature does not match the request',
  ] as const;
  const unknown = [401, 'key', 'Invalid API key', 'unknown key'] as const;
  const disabled = [403, 'enabled', 'API key is disabled', 'the key is disabled'] as const;
  const timestamp = [401, 'timestamp', 'Invalid or missing X-API-Timestamp'] as const;
  const none = 'the request has no accepted credential';
  const without = (name: string) => {
    const { headers } = request();
    headers.delete(name);
    return { headers };
  };

  it.each([
    ['nothing', { headers: new Headers() }, 401, 'credentials', 'Invalid API key', none],
    [
      'both modes',
      { headers: { authorization: 'x', 'x-api-key': 'y' } },
      400,
      'credentials',
      'Multiple credentials provided',
      'both Authorization and X-API-Key were sent',
    ],
    [
      'no base64',
      { headers: { authorization: 'Basic ?' } },
      401,
      'format',
      'Invalid Basic auth format',
      'the text after Basic is not padded base64 on one line',
    ],
    [
      'another secret',
      basic('key_on', 'x'),
      401,
      'secret',
      'Invalid API key secret',
      'wrong secret for this key',
    ],
    ['another body', { body: Buffer.from('{}') }, ...mismatch],
    ['no signature', without('x-api-signature'), ...mismatch],
    ['no timestamp', without('x-api-timestamp'), ...timestamp, 'X-API-Timestamp is missing'],
    [
      'two timestamps',
      { headers: { ...Object.fromEntries(request().headers), 'x-api-timestamp': ['1', '2'] } },
      ...timestamp,
      'X-API-Timestamp is not a decimal number of seconds',
    ],
  ])('refuses %s', async (_name, changes, statusCode, check, message, reason) => {
    const refusal = await verify(request({ changes }));
    expect(refusal).toMatchObject({ accepted: false, statusCode, check, message, reason });
  });

  it.each([
    ['an unknown key', { keyId: 'key_none' }, ...unknown],
    ['a disabled key', { keyId: 'key_off' }, ...disabled],
    [
      'an old timestamp',
      { at: now - 301_000 },
      ...timestamp,
      "X-API-Timestamp is 301 seconds behind the server's clock; the limit is 300",
    ],
  ])('refuses %s', async (_name, changes, statusCode, check, message, reason) => {
    const refusal = await verify(request(changes));
    expect(refusal).toEqual({ accepted: false, statusCode, check, message, reason });
  });

  it.each([[undefined], [null], ['']])('takes %j for an empty body', async (empty) => {
    const signed = { method: 'DELETE', target: '/teams/a', contentType: '', body: Buffer.alloc(0) };
    const headers = signedHeaders({ keyId: 'key_on', secret }, { ...signed, timestamp: String(now / 1000) });
    const { method, target } = signed;
    const received = { method, target, headers: new Headers({ ...headers }), body: empty };
    expect(await verify(received)).toMatchObject({ accepted: true });
  });

  it('takes a body without a type as signed with an empty one, and headers as lists', async () => {
    const signed = { method: 'POST', target: '/teams', contentType: '', body };
    const headers = signedHeaders({ keyId: 'key_on', secret }, { ...signed, timestamp: String(now / 1000) });
    const lists = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), [value]]);
    const { method, target } = signed;
    expect(await verify({ method, target, body, headers: Object.fromEntries(lists) })).toMatchObject({
      accepted: true,
      keyId: 'key_on',
    });
  });

  it('takes a body that is text as UTF-8', async () => {
    expect(await verify({ ...request(), body: body.toString() })).toMatchObject({ accepted: true });
  });

  it('takes a target that is not ASCII as bytes', async () => {
    const target = Buffer.from('/teams?name=Zoë');
    const signed = { method: 'GET', target, contentType: '', body: Buffer.alloc(0) };
    const headers = signedHeaders({ keyId: 'key_on', secret }, { ...signed, timestamp: String(now / 1000) });
    const received = { method: 'GET', target, headers: new Headers(headers) };
    expect(await verify(received)).toMatchObject({ accepted: true });
  });

  it("goes by the system's clock", async () => {
    const current = request({ at: Math.floor(Date.now() / 1000) * 1000 });
    expect(await verify(current, { clock: undefined })).toMatchObject({ accepted: true });
  });

  it('takes a tolerance and modes of its own', async () => {
    expect(await verify(request({ at: now - 301_000 }), { maxSkew: 600 })).toMatchObject({ accepted: true });
    expect(await verify(request(), { modes: ['basic'] })).toMatchObject({ check: 'credentials' });
  });

  it('names the mistake behind a signature where it is asked to, and never the secret', async () => {
    const refusal = await verify(request({ changes: { body: Buffer.concat([body, Buffer.from('\n')]) } }));
    const explained = refusal.accepted ? undefined : refusal.explain?.();
    expect(explained?.mistake?.id).toMatch(/newline/);
    expect(JSON.stringify([refusal, explained])).not.toContain(secret);
  });

  it('refuses a body that was parsed', async () => {
    const parsed = Reflect.apply(verify, undefined, [request({ changes: { body: { name: 'x' } } })]);
    await expect(parsed).rejects.toMatchObject({
      constructor: UsageError,
      message: 'verifyRequest: `body` is not raw: it has been parsed already',
      details: { hint: expect.stringContaining('express.raw({ type: () => true })') },
    });
  });

  it.each([
    ['empty', ''],
    ['not a string', undefined],
    ['not a string', null],
    ['not a string', Buffer.from(secret)],
  ])('throws for a key whose secret is %s: %s', async (state, found) => {
    // What everybody can sign with who knows no secret.
    const { method, target, headers } = request();
    const timestamp = String(now / 1000);
    const canonical = canonicalString({ method, target, timestamp, contentType: 'application/json', body });
    headers.set('x-api-signature', createHmac('sha256', '').update(canonical).digest('hex'));
    const empty = { authorization: `Basic ${Buffer.from('key_on:').toString('base64')}` };
    for (const received of [
      { method, target, headers, body },
      { method, target, headers: empty },
    ]) {
      const verified = verifyRequest(received, () => ({ secret: found }) as never, { clock: () => now });
      await expect(verified).rejects.toMatchObject({
        constructor: UsageError,
        message: `verifyRequest, the key that \`findKey\` found: \`secret\` is ${state}`,
      });
    }
  });
});

it('signs and verifies nothing with an empty secret', () => {
  const credential = { keyId: 'key_on', secret: '' };
  const signable = { method: 'GET', target: '/', timestamp: '0', contentType: '', body: Buffer.alloc(0) };
  const attempts = {
    signedHeaders: () => signedHeaders(credential, signable),
    basicAuthorization: () => basicAuthorization(credential),
    hmacSignature: () => hmacSignature('', canonicalString(signable)),
    verifySignature: () => verifySignature('', signable, ''),
  };
  for (const [name, attempt] of Object.entries(attempts)) {
    expect(attempt).toThrow(`${name}: \`secret\` is empty`);
  }
});
