import { timingSafeEqual } from 'node:crypto';
import { canonicalString, type SignableRequest } from './canonical-string.js';
import { hmacSignature } from './hmac.js';

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
