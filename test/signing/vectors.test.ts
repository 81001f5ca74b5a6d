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
  signature: z.string(),
});

// Made by make-vectors.sh with openssl.
const file = readFileSync(new URL('vectors.json', import.meta.url), 'utf8');
const vectors = z.parse(z.array(vectorSchema), JSON.parse(file));

it.each(vectors)('fits the vector: $name', ({ secret, signature, ...rest }) => {
  const request = { ...rest, body: Buffer.from(rest.body, 'base64') };
  const inBytes = { ...request, target: Buffer.from(request.target) };
  expect(hmacSignature(secret, canonicalString(request))).toBe(signature);
  expect(canonicalString(inBytes)).toEqual(canonicalString(request));
  expect(verifySignature(secret, request, signature)).toBe(true);
  expect(signedHeaders({ keyId: 'key_1', secret }, request)).toEqual({
    'X-API-Key': 'key_1',
    'X-API-Timestamp': request.timestamp,
    'X-API-Signature': signature,
  });
});
