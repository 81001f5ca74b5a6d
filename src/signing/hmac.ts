import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** Lower-case hexadecimal HMAC-SHA256 of a canonical string under an API key's secret (reference, section 5). */
export function hmacSignature(secret: string, canonical: Uint8Array): string {
  return createHmac('sha256', secret).update(canonical).digest('hex');
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
