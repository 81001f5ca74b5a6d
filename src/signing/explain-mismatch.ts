import { type FoundMistake, findMistake, type Mismatch } from './mistakes.js';
import { visibleCanonical } from './visible-canonical.js';

/** Why a signature was refused, in words that may be logged: they hold neither the secret nor a valid signature. */
export interface MismatchExplanation {
  /** A sentence without a full stop. */
  readonly reason: string;
  readonly mistake: FoundMistake | undefined;
  /** What should have been signed, as `visibleCanonical` shows it. */
  readonly canonical: string;
}

/** Explains a signature that `verifySignature` has refused. */
export function explainMismatch(mismatch: Mismatch): MismatchExplanation {
  const mistake = findMistake(mismatch);
  const reason =
    mistake === undefined
      ? 'the signature was made with another secret, or over something else than was sent'
      : `the signature was made ${mistake.description}`;
  return { reason, mistake, canonical: visibleCanonical(mismatch.request, mismatch.secret) };
}
