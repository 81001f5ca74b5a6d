import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { type Credential, requireSecret } from '../basic/basic.js';
import { canonicalString, type SignableRequest } from './canonical-string.js';

/**
 * Lower-case hexadecimal HMAC-SHA256 of a canonical string under an API key's secret (reference, section 5).
 * @throws UsageError for an empty secret, under which anybody can sign
 */
export function hmacSignature(secret: string, canonical: Uint8Array): string {
  requireSecret('hmacSignature', secret);
  return createHmac('sha256', secret).update(canonical).digest('hex');
}

/** Names of mode B's headers (reference, section 5). */
export const signatureHeader = {
  key: 'X-API-Key',
  timestamp: 'X-API-Timestamp',
  signature: 'X-API-Signature',
} as const;

/**
 * The three headers that authenticate a request by mode B (reference, section 5).
 * @throws UsageError for an empty secret
 */
export function signedHeaders(credential: Credential, request: SignableRequest): Record<string, string> {
  requireSecret('signedHeaders', credential.secret);
  return {
    [signatureHeader.key]: credential.keyId,
    [signatureHeader.timestamp]: request.timestamp,
    [signatureHeader.signature]: hmacSignature(credential.secret, canonicalString(request)),
  };
}

/**
 * Whether a signature is right for a request as received (reference, section 5, server rules 1, 3 and 4). `withinSkew`
 * tells whether the timestamp is recent.
 * @throws UsageError for an empty secret, under which anybody can sign
 */
export function verifySignature(secret: string, request: SignableRequest, signature: string): boolean {
  requireSecret('verifySignature', secret);
  const expected = Buffer.from(hmacSignature(secret, canonicalString(request)));
  const given = Buffer.from(signature);
  // The length of a signature is no secret; its value is compared in constant time.
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/** Compares two texts in constant time. Both are hashed first, so that even a difference in length does not show. */
export function equalInConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

// The key makes the digests unpredictable to whoever chose one of the texts.
const comparisonKey = randomBytes(32);

function digest(text: string): Buffer {
  return createHmac('sha256', comparisonKey).update(text).digest();
}

/** Stands in for the secret of an unknown key, so that checking one takes as long as for a known key. */
export const noSecret = '0'.repeat(64);
