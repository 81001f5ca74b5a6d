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

  const rename = (change: (name: string) => string) =>
    Object.fromEntries([...request().headers].map(([name, value]) => [change(name), value]));

  it.each([
    [
      'as signedHeaders has them',
      (name: string) => name.replaceAll(/\b[a-z]/g, (letter) => letter.toUpperCase()),
    ],
    ['in upper case', (name: string) => name.toUpperCase()],
  ])('takes names of headers %s', async (_case, change) => {
    expect(await verify({ ...request(), headers: rename(change) })).toMatchObject({ accepted: true });
    const basicToo = { ...rename(change), AUTHORIZATION: 'Basic eDp5' };
    expect(await verify({ ...request(), headers: basicToo })).toMatchObject({ statusCode: 400 });
  });

  it('does not choose between two spellings of a header', async () => {
    const { headers: sent } = request();
    const headers = { ...Object.fromEntries(sent), 'X-API-Key': 'key_off' };
    expect(await verify({ ...request(), headers })).toMatchObject({
      accepted: false,
      message: 'Invalid API key',
    });
  });

  const basic = (keyId: string, of = secret) => ({
    headers: { authorization: basicAuthorization({ keyId, secret: of }) },
  });
  const both = { authorization: 'x', 'x-api-key': 'y' };
  const noBase64 = { headers: { authorization: 'Basic ?' } };
  const late = "X-API-Timestamp is 301 seconds behind the server's clock; the limit is 300";
  const twice = { ...Object.fromEntries(request().headers), 'x-api-timestamp': ['1', '2'] };
  const without = (name: string) => {
    const { headers } = request();
    headers.delete(name);
    return { headers };
  };

  const multiple = '400 Multiple credentials provided';
  const time = '401 Invalid or missing X-API-Timestamp';
  const mismatch = '401 Invalid API signature';

  it.each([
    ['401 Invalid API key', 'credentials', { headers: {} }, 'the request has no accepted credential'],
    [multiple, 'credentials', { headers: both }, 'both Authorization and X-API-Key were sent'],
    ['401 Invalid Basic auth format', 'format', noBase64, expect.stringContaining('is not padded base64')],
    ['401 Invalid API key secret', 'secret', basic('key_on', 'x'), 'wrong secret for this key'],
    [mismatch, 'signature', { body: Buffer.from('{}') }, 'the signature does not match the request'],
    [mismatch, 'signature', without('x-api-signature'), 'the signature does not match the request'],
    [time, 'timestamp', without('x-api-timestamp'), 'X-API-Timestamp is missing'],
    [time, 'timestamp', { headers: twice }, 'X-API-Timestamp is not a decimal number of seconds'],
    [time, 'timestamp', request({ at: now - 301_000 }), late],
    ['401 Invalid API key', 'key', request({ keyId: 'key_none' }), 'unknown key'],
    ['403 API key is disabled', 'enabled', request({ keyId: 'key_off' }), 'the key is disabled'],
  ])('refuses with %s by its %s: %#', async (answer, check, changes, reason) => {
    const refusal = await verify(request({ changes }));
    expect(refusal).toMatchObject({ accepted: false, check, reason });
    expect(`${Object(refusal).statusCode} ${Object(refusal).message}`).toBe(answer);
  });

  /** Signed without a content type. */
  const bare = (method: string, target: string | Buffer, sent = Buffer.alloc(0)) =>
    signedHeaders(
      { keyId: 'key_on', secret },
      { method, target, contentType: '', body: sent, timestamp: String(now / 1000) },
    );
  const signedPost = Object.entries(bare('POST', '/a', body));
  const asLists = signedPost.map(([name, value]) => [name.toLowerCase(), [value]]);
  const beyondAscii = Buffer.from('/teams?name=Zoë');

  it.each<[string, Parameters<typeof verifyRequest>[0]]>([
    ['an undefined body', { method: 'GET', target: '/a', headers: bare('GET', '/a'), body: undefined }],
    ['an empty body', { method: 'GET', target: '/a', headers: bare('GET', '/a'), body: '' }],
    ['lists of headers', { method: 'POST', target: '/a', headers: Object.fromEntries(asLists), body }],
    ['a body of text', { ...request(), body: body.toString() }],
    ['a target as bytes', { method: 'GET', target: beyondAscii, headers: bare('GET', beyondAscii) }],
  ])('takes %s', async (_name, { headers, ...rest }) => {
    const all = 'x-api-key' in headers ? headers : new Headers(Object(headers));
    expect(await verify({ ...rest, headers: all })).toMatchObject({ accepted: true, keyId: 'key_on' });
  });

  it("goes by the system's clock", async () => {
    const current = request({ at: Math.floor(Date.now() / 1000) * 1000 });
    expect(await verify(current, { clock: undefined })).toMatchObject({ accepted: true });
  });

  it('takes a tolerance and modes of its own', async () => {
    expect(await verify(request({ at: now - 301_000 }), { maxSkew: 600 })).toMatchObject({ accepted: true });
    expect(await verify(request(), { modes: ['basic'] })).toMatchObject({ check: 'credentials' });
    for (const mode of ['hmac', 'basic'] as const) {
      const several = request({ headers: basic('key_on').headers });
      expect(await verify(several, { modes: [mode] })).toMatchObject({ statusCode: 400 });
    }
  });

  it('names the mistake behind a signature where it is asked to, and never the secret', async () => {
    const refusal = await verify(request({ changes: { body: Buffer.concat([body, Buffer.from('\n')]) } }));
    const explained = refusal.accepted ? undefined : refusal.explain?.();
    expect(explained?.mistake?.id).toMatch(/newline/);
    expect(JSON.stringify([refusal, explained])).not.toContain(secret);
  });

  it.each<[unknown, object, string]>([
    [{ method: 'GET', target: '/' }, {}, '`request.headers`: must be an object'],
    [{ target: '/', headers: {} }, {}, '`request.method`: required (string)'],
    [undefined, {}, '`request`: required (object)'],
    [{ method: 'GET', target: '/', headers: {} }, { maxSkew: '5m' }, '`options.maxSkew`: must be 0 or more'],
    [{ method: 'GET', target: '/', headers: {} }, { modes: ['both'] }, '`options.modes[0]`: must be'],
  ])('names a wrong argument: %j, %j', async (received, options, problem) => {
    const verified = Reflect.apply(verifyRequest, undefined, [received, () => undefined, options]);
    await expect(verified).rejects.toThrow(UsageError);
    await expect(verified).rejects.toThrow(`verifyRequest: ${problem}`);
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

it.each([
  ['body', undefined, 'not a Uint8Array (an empty one without a body)'],
  ['body', '{}', 'not a Uint8Array (an empty one without a body)'],
  ['contentType', undefined, 'not a string'],
  ['timestamp', 1_772_366_400, 'not a string'],
  ['target', undefined, 'not a string'],
  ['method', undefined, 'not a string'],
])('names the part that cannot be signed: %s is %j', (part, value, problem) => {
  const whole = { method: 'GET', target: '/', timestamp: '0', contentType: '', body: Buffer.alloc(0) };
  const signed = { ...whole, [part]: value };
  for (const sign of [canonicalString, signedHeaders.bind(undefined, { keyId: 'key_on', secret })]) {
    const attempt = () => Reflect.apply(sign, undefined, [signed]);
    expect(attempt).toThrow(UsageError);
    expect(attempt).toThrow(`\`${part}\` is ${problem}`);
  }
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
