import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { canonicalString, hmacSignature, signedHeaders, verifySignature } from '../../src/signing/index.js';

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
