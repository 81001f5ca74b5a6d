import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Authenticator, ReceivedRequest } from '../../src/server/authentication/authenticator.js';
import { basicAuthenticator } from '../../src/server/authentication/basic-authenticator.js';
import { hmacAuthenticator } from '../../src/server/authentication/hmac-authenticator.js';
import { basicAuthorization, signedHeaders } from '../../src/signing/index.js';

// What takes how long is not measured; that the same is done is (reference, section 5, server rule 3).
const secret = 's'.repeat(64);
const key = { keyId: 'key_known', organizationId: 'org_a', secret, enabled: true };
const now = 1_750_000_000;
const hmac = hmacAuthenticator({ scheme: 'https', clock: () => now * 1000, maxSkew: 300 });
const body = Buffer.from('{"name":"a"}');

const createHmac = vi.spyOn(crypto, 'createHmac');
const update = vi.spyOn(crypto.Hmac.prototype, 'update');
const timingSafeEqual = vi.spyOn(crypto, 'timingSafeEqual');
// Named imports of the sources see the counting functions, too.
syncBuiltinESMExports();

beforeEach(() => void vi.clearAllMocks());
// Or every hash of the files that share this worker would be counted, and its bytes kept.
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Which HMACs and comparisons a refused request takes, and the bytes that go into each. */
function workOf(authenticator: Authenticator, headers: Record<string, string>) {
  vi.clearAllMocks();
  const request: ReceivedRequest = { method: 'POST', target: Buffer.from('/teams'), headers };
  const claim = authenticator.read(request);
  expect(() => {
    const found = claim.verifyHead(claim.keyId === key.keyId ? key : undefined);
    request.body = body;
    claim.verifyBody?.(found);
  }).toThrow();
  return {
    hmacs: createHmac.mock.calls.map(([algorithm]) => algorithm),
    bytes: update.mock.calls.map(([data]) => Buffer.byteLength(data)),
    comparisons: timingSafeEqual.mock.calls.map(([left, right]) => [left.byteLength, right.byteLength]),
  };
}

function signedWith(keyId: string, change: (signature: string) => string): Record<string, string> {
  const contentType = 'application/json';
  const signable = { method: 'POST', target: '/teams', timestamp: String(now), contentType, body };
  const headers = Object.entries(signedHeaders({ keyId, secret }, signable));
  const lower = Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value]));
  const signature = change(lower['x-api-signature'] ?? '');
  return { ...lower, 'content-type': contentType, 'x-api-signature': signature };
}

function withDigit(place: number): (signature: string) => string {
  return (signature) => {
    const other = signature[place] === '0' ? '1' : '0';
    return signature.slice(0, place) + other + signature.slice(place + 1);
  };
}

describe('the work of refusing a signature', () => {
  const signed = `POST\n/teams\n${now}\napplication/json\n${body}`;
  const once = { hmacs: ['sha256'], bytes: [signed.length], comparisons: [[64, 64]] };

  it('is the same wherever the first wrong digit stands', () => {
    for (const place of [0, 1, 31, 62, 63]) {
      expect(workOf(hmac, signedWith(key.keyId, withDigit(place)))).toEqual(once);
    }
  });

  // The message says that there is no such key, before the body is there; the time says no more.
  it('is the same for a key that does not exist, without the body', () => {
    const bytes = [`POST\n/teams\n${now}\n\n`.length];
    const signed = signedWith('key_unknown', (signature) => signature);
    expect(workOf(hmac, signed)).toEqual({ ...once, bytes });
    expect(workOf(hmac, signedWith('', withDigit(0)))).toEqual({ ...once, bytes });
  });
});

describe('the work of refusing a secret', () => {
  // Both sides are hashed, so that neither content nor length shows.
  const once = { hmacs: ['sha256', 'sha256'], comparisons: [[32, 32]] };

  it.each([
    '',
    's',
    's'.repeat(63),
    `${'s'.repeat(63)}t`,
    `t${'s'.repeat(63)}`,
    's'.repeat(65),
    'x'.repeat(5000),
  ])('is the same for %.70s', async (wrong) => {
    const authorization = `Basic ${Buffer.from(`${key.keyId}:${wrong}`).toString('base64')}`;
    const bytes = [secret.length, wrong.length];
    expect(workOf(basicAuthenticator, { authorization })).toEqual({ ...once, bytes });
  });

  it('is the same for a key that does not exist', () => {
    const authorization = basicAuthorization({ keyId: 'key_unknown', secret });
    const bytes = [secret.length, secret.length];
    expect(workOf(basicAuthenticator, { authorization })).toEqual({ ...once, bytes });
  });
});
