import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { basicAuthorization, signedHeaders } from '../../src/signing/index.js';
import { CredentialRefusal, checkHead, readClaim } from '../../src/signing/scheme.js';

// What takes how long is not measured; that the same is done is (reference, section 5, server rule 3).
const secret = 's'.repeat(64);
const key = { keyId: 'key_known', organizationId: 'org_a', secret, enabled: true };
const now = 1_750_000_000;
const checking = { clock: () => now * 1000, maxSkew: 300 };
const body = Buffer.from('{"name":"a"}');

const createHmac = vi.spyOn(crypto, 'createHmac');
const update = vi.spyOn(crypto.Hmac.prototype, 'update');
const timingSafeEqual = vi.spyOn(crypto, 'timingSafeEqual');
// Named imports of the sources see the counting functions, too.
syncBuiltinESMExports();

// Or every hash of the files that share this worker would be counted, and its bytes kept.
afterAll(() => {
  vi.restoreAllMocks();
  syncBuiltinESMExports();
});

/** Which HMACs and comparisons were made since the last time, and the bytes that went into each. */
function takeWork() {
  const work = {
    hmacs: createHmac.mock.calls.map(([algorithm]) => algorithm),
    bytes: update.mock.calls.map(([data]) => Buffer.byteLength(data)),
    comparisons: timingSafeEqual.mock.calls.map(([left, right]) => [left.byteLength, right.byteLength]),
  };
  vi.clearAllMocks();
  return work;
}

/** The work of a refused request whose body comes after its head, as at the server. */
function workOf(headers: Record<string, string>) {
  takeWork();
  const claim = readClaim({ method: 'POST', target: Buffer.from('/teams'), headers });
  if (claim instanceof CredentialRefusal) throw new Error(claim.message);
  const found = checkHead(claim, claim.keyId === key.keyId ? key : undefined, checking);
  const refusal = found instanceof CredentialRefusal ? found : claim.checkBody?.(found.secret, body);
  expect(refusal).toBeInstanceOf(CredentialRefusal);
  return takeWork();
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
      expect(workOf(signedWith(key.keyId, withDigit(place)))).toEqual(once);
    }
  });

  // The message says that there is no such key, before the body is there; the time says no more.
  it('is the same for a key that does not exist and for a head that is refused, without the body', () => {
    const bytes = [`POST\n/teams\n${now}\n\n`.length];
    const signed = signedWith('key_unknown', (signature) => signature);
    expect(workOf(signed)).toEqual({ ...once, bytes });
    expect(workOf(signedWith('', withDigit(0)))).toEqual({ ...once, bytes });
    const known = signedWith(key.keyId, (signature) => signature);
    expect(workOf({ ...known, 'x-api-timestamp': String(now - 400) })).toEqual({ ...once, bytes });
    expect(workOf({ ...known, 'x-api-signature': 'short' })).toEqual({ ...once, bytes, comparisons: [] });
  });
});

describe('the work of refusing a secret', () => {
  // Both sides are hashed, so that neither content nor length shows.
  const once = { hmacs: ['sha256', 'sha256'], comparisons: [[32, 32]] };

  it.each(['', `${'s'.repeat(63)}t`, `t${'s'.repeat(63)}`, 'x'.repeat(5000)])(
    'is the same for %.70s',
    (wrong) => {
      const authorization = `Basic ${Buffer.from(`${key.keyId}:${wrong}`).toString('base64')}`;
      const bytes = [secret.length, wrong.length];
      expect(workOf({ authorization })).toEqual({ ...once, bytes });
    },
  );

  it('is the same for a key that does not exist', () => {
    const authorization = basicAuthorization({ keyId: 'key_unknown', secret });
    const bytes = [secret.length, secret.length];
    expect(workOf({ authorization })).toEqual({ ...once, bytes });
  });
});
