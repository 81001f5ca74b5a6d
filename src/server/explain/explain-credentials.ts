import { explainMismatch, type Mismatch, visibleCanonical } from '../../signing/index.js';
import type { Explanation } from './refusal.js';

/** Bytes of a body up to which mistakes are looked for: each of dozens of attempts hashes or rewrites the whole body. */
const triedBytes = 16_384;

/** Why a signature was refused (reference, section 5, server rules 1 and 4), with what should have been signed. */
export function explainSignature(mismatch: Mismatch): Explanation {
  const { request, secret, signature } = mismatch;
  if (signature === '') {
    return { reason: 'X-API-Signature is missing', canonical: visibleCanonical(request, secret) };
  }
  if (request.body.byteLength > triedBytes) {
    const reason = 'the signature does not fit; known mistakes are not tried with a body over 16 KiB';
    return { reason, canonical: visibleCanonical(request, secret) };
  }
  const { reason, mistake, canonical } = explainMismatch(mismatch);
  if (mistake !== undefined) return { reason, canonical, mistake: mistake.id };
  if (/^[0-9a-f]{64}$/.test(signature)) return { reason, canonical };
  return { reason: 'X-API-Signature is not 64 lower-case hexadecimal characters', canonical };
}
