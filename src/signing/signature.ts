import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Credential } from './basic.js';
import { canonicalString, type SignableRequest } from './canonical-string.js';

/** Lower-case hexadecimal HMAC-SHA256 of a canonical string under an API key's secret (reference, section 5). */
export function hmacSignature(secret: string, canonical: Uint8Array): string {
  return createHmac('sha256', secret).update(canonical).digest('hex');
}

/** Names of mode B's headers (reference, section 5). */
export const signatureHeader = {
  key: 'X-API-Key',
  timestamp: 'X-API-Timestamp',
  signature: 'X-API-Signature',
} as const;

/** The three headers that authenticate a request by mode B (reference, section 5). */
export function signedHeaders(credential: Credential, request: SignableRequest): Record<string, string> {
  return {
    [signatureHeader.key]: credential.keyId,
    [signatureHeader.timestamp]: request.timestamp,
    [signatureHeader.signature]: hmacSignature(credential.secret, canonicalString(request)),
  };
}

/**
 * Whether a signature fits a request as received (reference, section 5, server rules 1, 3 and 4). Whether the
 * timestamp is recent is asked apart, by `withinSkew`.
 */
export function verifySignature(secret: string, request: SignableRequest, signature: string): boolean {
  const expected = Buffer.from(hmacSignature(secret, canonicalString(request)));
  const given = Buffer.from(signature);
  // How long a signature has to be is no secret; only what it has to be is compared in constant time.
  return expected.length === given.length && timingSafeEqual(expected, given);
}

/**
 * Compares two texts in a time that depends on neither's content. Both are hashed first, so that a difference in
 * length costs the same as one in content.
 */
export function equalInConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

// The key only serves to make the digests unpredictable to whoever chose one of the texts.
const comparisonKey = randomBytes(32);

function digest(text: string): Buffer {
  return createHmac('sha256', comparisonKey).update(text).digest();
}

/** Checked in place of a secret that does not exist, so that an unknown key takes as long as a known one. */
export const noSecret = '0'.repeat(64);
