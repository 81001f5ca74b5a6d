import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { z } from '../../src/api/schema/schema.js';
import { canonicalString, hmacSignature, signedHeaders, verifySignature } from '../../src/signing/index.js';

const vectorSchema = z.object({
  name: z.string(),
  secret: z.string(),
  method: z.string(),
  target: z.string(),
  timestamp: z.string(),
  contentType: z.string(),
  body: z.string(),
  canonical: z.optional(z.string()),
  canonicalBase64: z.optional(z.string()),
  signature: z.string(),
});

// Made by make-vectors.sh with openssl.
const file = readFileSync(new URL('vectors.json', import.meta.url), 'utf8');
const vectors = z.parse(z.array(vectorSchema), JSON.parse(file));

it.each(vectors)('fits the vector: $name', ({ secret, signature, canonical, canonicalBase64, ...rest }) => {
  const request = { ...rest, body: Buffer.from(rest.body, 'base64') };
  const expected =
    canonical === undefined ? Buffer.from(canonicalBase64 ?? '', 'base64') : Buffer.from(canonical);
  expect(canonicalString(request)).toEqual(expected);
  expect(canonicalString({ ...request, target: Buffer.from(request.target) })).toEqual(expected);
  expect(hmacSignature(secret, canonicalString(request))).toBe(signature);
  expect(verifySignature(secret, request, signature)).toBe(true);
  expect(signedHeaders({ keyId: 'key_1', secret }, request)).toEqual({
    'X-API-Key': 'key_1',
    'X-API-Timestamp': request.timestamp,
    'X-API-Signature': signature,
  });
});

it('signs the bytes of a target as they are, though they are no text', () => {
  const target = Buffer.from([0x2f, 0x61, 0xff, 0xfe, 0xc3, 0x28, 0x80]);
  const request = { method: 'GET', timestamp: '1700000000', contentType: '' };
  const end = Buffer.from('\n1700000000\n\n');
  expect(canonicalString({ ...request, target, body: Buffer.alloc(0) })).toEqual(
    Buffer.concat([Buffer.from('GET\n'), target, end]),
  );
  expect(canonicalString({ ...request, target, body: Buffer.from([0xff]) })).toEqual(
    Buffer.concat([Buffer.from('GET\n'), target, end, Buffer.from([0xff])]),
  );
});
