import type { Credential } from './basic.js';
import { canonicalString, type SignableRequest } from './canonical-string.js';
import { hmacSignature } from './hmac.js';

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
