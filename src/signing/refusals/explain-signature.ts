import type { RequestHead, VerifiableKey } from '../claim/claim.js';
import { readSigned } from '../hmac/hmac-scheme.js';
import { shapeProblem } from '../hmac/signature.js';
import { explainMismatch, type Mismatch, type MismatchExplanation } from '../mistakes/explain-mismatch.js';
import { describeMistakes } from '../mistakes/mistake.js';
import { nameSpelling } from '../mistakes/signature-spellings.js';
import { visibleCanonical } from '../mistakes/visible-canonical.js';
import type { Explanation } from './refusal.js';

/** Bytes of the largest body to try mistakes on: each of thousands of attempts may hash or rewrite it. */
const triedBytes = 16_384;

const missingSignature = 'X-API-Signature is missing';

/** Why a signature was refused. Searches known mistakes; `prepareExplaining` loads this file on demand. */
export function explainSignature(
  { secret }: VerifiableKey,
  received: RequestHead & { readonly body?: Buffer | undefined },
  origins: readonly string[],
  thoroughly: boolean,
): Explanation {
  const { body } = received;
  const { request, signature } = readSigned(received, body ?? Buffer.alloc(0));
  if (body === undefined) return explainUnread(signature);
  if (signature === '') return { reason: missingSignature, canonical: visibleCanonical(request, secret) };
  if (body.byteLength > triedBytes) {
    const reason = 'the signature does not match; for bodies over 16 KiB, known mistakes are not tried';
    return { reason, canonical: visibleCanonical(request, secret) };
  }
  const [mismatch = { secret, request, signature }, ...others] = origins.map((origin) => ({
    secret,
    request: { ...request, origin },
    signature,
  }));
  const first = explainMismatch(mismatch, thoroughly);
  const { mistake, ...explanation } =
    first.corrections === undefined ? (explainElsewhere(others) ?? first) : first;
  return mistake === undefined
    ? explanation
    : { ...explanation, mistake: mistake.id, advice: mistake.advice };
}

/** The first explanation that knows what was signed; only the form of a signature is the same for every origin. */
function explainElsewhere(others: readonly Mismatch[]): MismatchExplanation | undefined {
  for (const other of others) {
    const explained = explainMismatch(other, false);
    if (explained.corrections !== undefined) return explained;
  }
  return undefined;
}

/** Explains a malformed signature. It is refused before the body is read, so the expected string is unknown. */
function explainUnread(signature: string): Explanation {
  if (signature === '') return { reason: missingSignature };
  const spelling = nameSpelling(signature);
  if (spelling === undefined) return { reason: shapeProblem(signature) ?? 'the body was not read' };
  const { id, advice } = spelling;
  const reason = describeMistakes([spelling]);
  return { reason, mistake: id, advice, corrections: [{ part: 'signature' }] };
}
