import type { RequestHead, VerifiableKey } from '../claim/claim.js';
import { shapeProblem } from '../hmac/signature.js';
import { explainMismatch } from '../mistakes/explain-mismatch.js';
import { describeMistakes } from '../mistakes/mistake.js';
import { nameSpelling } from '../mistakes/signature-spellings.js';
import { visibleCanonical } from '../mistakes/visible-canonical.js';
import { readSigned } from '../scheme.js';
import type { Explanation } from './refusal.js';

/** Bytes of the largest body to try mistakes on: each of thousands of attempts may hash or rewrite it. */
const triedBytes = 16_384;

/** Why a signature was refused; searches known mistakes, for each origin until one is found. */
export function explainSignature(
  { secret }: VerifiableKey,
  received: RequestHead & { readonly body?: Buffer | undefined },
  [origin, ...otherOrigins]: readonly string[],
  thoroughly: boolean,
): Explanation {
  const { body } = received;
  const { request, signature } = readSigned(received, body);
  if (body === undefined) return explainUnread(signature);
  const canonical = visibleCanonical(request, secret);
  if (signature === '') return { reason: missingSignature, canonical };
  if (body.byteLength > triedBytes) {
    const reason = 'the signature does not match; for bodies over 16 KiB, known mistakes are not tried';
    return { reason, canonical };
  }
  let explained = explainMismatch({ secret, request: { ...request, origin }, signature }, thoroughly);
  for (const other of otherOrigins) {
    if (explained.corrections !== undefined) break;
    explained = explainMismatch({ secret, request: { ...request, origin: other }, signature }, false);
  }
  const { mistake, ...explanation } = explained;
  return { ...explanation, ...(mistake && { mistake: mistake.id, advice: mistake.advice }) };
}

const missingSignature = 'X-API-Signature is missing';

/** Explains a malformed signature. It is refused before the body is read, so the expected string is unknown. */
function explainUnread(signature: string): Explanation {
  if (signature === '') return { reason: missingSignature };
  const spelling = nameSpelling(signature);
  if (spelling === undefined) return { reason: shapeProblem(signature) ?? 'the body was not read' };
  const { id, advice } = spelling;
  return { reason: describeMistakes([spelling]), mistake: id, advice, corrections: [{ part: 'signature' }] };
}
