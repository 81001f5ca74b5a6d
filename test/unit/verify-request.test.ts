import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  basicAuthorization,
  canonicalString,
  hmacSignature,
  signedHeaders,
  type VerifyOptions,
  verifyRequest,
  verifySignature,
} from '../../src/signing/index.js';

const secret = 's'.repeat(64);
const now = Date.UTC(2026, 2, 1);
const timestamp = String(now / 1000);
const body = Buffer.from('{"name":"Zoë"}');
const signable = { method: 'POST', target: '/teams?a=1', contentType: 'application/json', body, timestamp };

function request(changes: object = {}) {
  const authentication = signedHeaders({ keyId: 'key_on', secret }, signable);
  const headers = new Headers({ 'content-type': 'application/json', ...authentication });
  return { ...signable, headers, ...changes };
}

function verify(received: Parameters<typeof verifyRequest>[0], options: VerifyOptions = {}) {
  const key = (keyId: string) => (keyId === 'key_on' ? { secret } : undefined);
  return verifyRequest(received, key, { clock: () => now, ...options });
}

// What is refused, and in which order: scheme.test.ts.
describe('verifyRequest', () => {
  const upper = Object.fromEntries(
    [...request().headers].map(([name, value]) => [name.toUpperCase(), value]),
  );
  const lists = Object.fromEntries([...request().headers].map(([name, value]) => [name, [value]]));

  it.each([
    ['a Headers object', {}],
    ['names in upper case', { headers: upper }],
    ['lists of values', { headers: lists }],
    ['a target as bytes', { target: Buffer.from(signable.target) }],
  ])('takes %s', async (_name, changes) => {
    expect(await verify(request(changes))).toEqual({ accepted: true, keyId: 'key_on', key: { secret } });
  });

  it('does not choose between two spellings of a header', async () => {
    const headers = { ...upper, 'x-api-key': 'key_off' };
    expect(await verify(request({ headers }))).toMatchObject({ accepted: false, check: 'key' });
    const both = { ...upper, AUTHORIZATION: 'Basic eDp5' };
    for (const modes of [['hmac'], ['basic']] as const) {
      expect(await verify(request({ headers: both }), { modes })).toMatchObject({ statusCode: 400 });
    }
    expect(await verify(request(), { modes: ['basic'] })).toMatchObject({ check: 'credentials' });
  });

  it('names the mistake behind a signature where it is asked to, and never the secret', async () => {
    const refusal = await verify(request({ body: Buffer.concat([body, Buffer.from('\n')]) }));
    const explained = refusal.accepted ? undefined : refusal.explain?.();
    expect(explained?.mistake?.id).toMatch(/newline/);
    expect(JSON.stringify([refusal, explained])).not.toContain(secret);
  });

  it.each(['', undefined, Buffer.from(secret)])('throws for a key whose secret is %j', async (found) => {
    // What everybody can sign with who knows no secret.
    const { headers } = request();
    headers.set('x-api-signature', createHmac('sha256', '').update(canonicalString(signable)).digest('hex'));
    const empty = { authorization: `Basic ${Buffer.from('key_on:').toString('base64')}` };
    for (const received of [request({ headers }), request({ headers: empty })]) {
      const verified = verifyRequest(received, () => ({ secret: found }) as never, { clock: () => now });
      await expect(verified).rejects.toThrow('verifyRequest, the key that `findKey` found: `secret` is');
    }
  });
});

it('signs and verifies nothing with an empty secret, or with a part that is missing', () => {
  const credential = { keyId: 'key_on', secret: '' };
  const attempts = [
    () => signedHeaders(credential, signable),
    () => basicAuthorization(credential),
    () => hmacSignature('', canonicalString(signable)),
    () => verifySignature('', signable, ''),
  ];
  for (const attempt of attempts) expect(attempt).toThrow('`secret` is empty');
  for (const part of Object.keys(signable)) {
    const attempt = () => Reflect.apply(canonicalString, undefined, [{ ...signable, [part]: 1 }]);
    expect(attempt).toThrow(`\`${part}\` is not a`);
  }
});
