import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  canonicalString,
  defaultMaxSkew,
  hmacSignature,
  parseBasicAuthorization,
  parseTimestamp,
  signedHeaders,
  verifySignature,
  withinSkew,
} from '../../src/signing/index.js';

it('signs the bytes of a target as they were sent', () => {
  const target = Buffer.from([0x2f, 0xff, 0xc3, 0x28, 0x80]);
  const request = { method: 'get', target, timestamp: '1', contentType: '', body: Buffer.from('é') };
  expect(canonicalString(request)).toEqual(
    Buffer.concat([Buffer.from('GET\n'), target, Buffer.from('\n1\n\né')]),
  );
});

describe('a timestamp', () => {
  it.each([
    ...[undefined, '', '01700000000', '-1700000000', '1700000000.0', '0x6553f100', ' 1700000000 '],
    ...['1700000000\n', '١٧٠٠٠٠٠٠٠٠', '9007199254740993'],
  ])('is not %j', (header) => {
    expect(parseTimestamp(header)).toBeUndefined();
  });

  it('may be off by 300 whole seconds', () => {
    const [now, at] = [1_700_000_000_999, 1_700_000_000];
    const within = [-301, -300, 300, 301].map((off) => withinSkew(at + off, now, defaultMaxSkew));
    expect(within).toEqual([false, true, true, false]);
    expect(parseTimestamp('999999999999999')).toBe(999_999_999_999_999);
  });
});

describe('Basic', () => {
  it.each([
    ['Basic a2V5XzE6R3LDtsOfZS3wn5SR', { keyId: 'key_1', secret: 'Größe-🔑' }],
    ['basic a2V5XzE6YTpiOmM=', { keyId: 'key_1', secret: 'a:b:c' }],
    ['Basic OnNlY3JldA==', { keyId: '', secret: 'secret' }],
    ['Basic', undefined],
    ['Bearer a2V5XzE6c2VjcmV0', undefined],
    ['Basic a2V5XzE=', undefined],
    ['Basic a2V5XzE6YQ', undefined],
    ['Basic a2V5XzE6YQ==a2V5', undefined],
    ['Basic a2V5XzE6YR==', undefined],
    ['Basic  a2V5XzE6c2VjcmV0', undefined],
    ['Basic a2V5XzE6c2VjcmV0\n', undefined],
    [`Basic ${Buffer.from('key_1:\xff', 'latin1').toString('base64')}`, undefined],
  ])('%j', (header, credential) => {
    expect(parseBasicAuthorization(header)).toEqual(credential);
  });
});

// Made with openssl alone: `printf 'GET\n/quotas\n1700000000\n\n' | openssl dgst -sha256 -hmac "$secret"`; bodies in base64.
const file = readFileSync(new URL('vectors.tsv', import.meta.url), 'utf8');
const vectors = file
  .trimEnd()
  .split('\n')
  .map((line) => line.split('\t'));

it.each(vectors)(
  'fits the vector: %s',
  (_name, secret, method, target, timestamp, contentType, body, signature) => {
    const request = { method, target, timestamp, contentType, body: Buffer.from(body, 'base64') };
    expect(hmacSignature(secret, canonicalString(request))).toBe(signature);
    expect(canonicalString({ ...request, target: Buffer.from(target) })).toEqual(canonicalString(request));
    expect(verifySignature(secret, request, signature)).toBe(true);
    expect(signedHeaders({ keyId: 'key_1', secret }, request)).toEqual({
      'X-API-Key': 'key_1',
      'X-API-Timestamp': timestamp,
      'X-API-Signature': signature,
    });
  },
);
