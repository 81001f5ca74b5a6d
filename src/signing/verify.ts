import { canonicalString, type SignableRequest } from './canonical-string.js';
import { equalInConstantTime, hmacSignature } from './hmac.js';

/**
 * Whether a signature fits a request as received (reference, section 5, server rules 1, 3 and 4). Whether the
 * timestamp is recent is asked apart, by `withinSkew`.
 */
export function verifySignature(secret: string, request: SignableRequest, signature: string): boolean {
  return equalInConstantTime(hmacSignature(secret, canonicalString(request)), signature);
}
