import { shapeProblem } from '../hmac/signature.js';
import { isInMilliseconds } from '../hmac/timestamp.js';
import { DigestMatcher } from './attempt/digest-matcher.js';
import {
  describeMistakes,
  type ExplainableRequest,
  type NamedMistake,
  rightAttempt,
  type SigningAttempt,
} from './attempt/signing-attempt.js';
import { type Correction, listCorrections } from './corrections.js';
import { quickMistakes } from './known/known-mistakes.js';
import { millisecondsMistake } from './known/timestamp-mistakes.js';
import type { Mismatch } from './mismatch.js';
import { type Scope, searchAttempt } from './search-attempts.js';
import { readHex, wrongSpellings } from './signature-spellings.js';
import { type SignedDifference, signedInstead } from './signed-instead.js';
import { visibleCanonical } from './visible-canonical.js';

export type { Mismatch };

/** A known mistake, or a pair of them, that explains a wrong signature. */
export type FoundMistake = NamedMistake;

/** Why a signature was refused; safe to log, without the secret or a valid signature. */
export interface MismatchExplanation {
  readonly reason: string;
  readonly mistake: FoundMistake | undefined;
  /** The expected string, as `visibleCanonical` shows it. */
  readonly canonical: string;
  /** The signed string; absent if it is unknown, or looks like `canonical`. */
  readonly signed?: string;
  readonly difference?: SignedDifference;
  /** Absent if the signed string is unknown. */
  readonly corrections?: readonly Correction[];
}

/** Explains a signature that `verifySignature` has refused. @param thoroughly see `findMistake` */
export function explainMismatch(mismatch: Mismatch, thoroughly = true): MismatchExplanation {
  const { signature, request, secret } = mismatch;
  const found = search(mismatch, thoroughly);
  const canonical = visibleCanonical(request, secret);
  if (found !== undefined) {
    const mistake = together(found.mistakes);
    const reason = describeMistakes(found.mistakes);
    const corrections = [
      ...listCorrections(found.attempt, mismatch),
      ...(found.isRespelled ? [{ part: 'signature' } as const] : []),
    ];
    return { reason, mistake, canonical, ...signedInstead(found.attempt, mismatch), corrections };
  }
  const shape = shapeProblem(signature);
  if (shape !== undefined) return { reason: shape, mistake: malformedSignature, canonical };
  const reason = 'wrong secret, or the request differs from what was signed';
  return { reason, mistake: undefined, canonical };
}

const malformedSignature: FoundMistake = {
  id: 'malformed',
  description: 'in a form other than 64 hex characters',
  ofForm: true,
  advice: 'send the HMAC-SHA256 as 64 lower-case hexadecimal digits, with nothing before or after them',
};

/** Every mistake that `explainMismatch` knows, for lists and help. */
export const knownMistakes: readonly FoundMistake[] = [
  ...quickMistakes,
  millisecondsMistake,
  ...wrongSpellings,
  malformedSignature,
].map(({ id, description, ofForm, clause, advice }) => ({
  ...{ id, description, ...(ofForm && { ofForm }), ...(clause && { clause }), advice },
}));

/**
 * The known mistake, or pair of mistakes, that reproduces a signature. Call it only after `verifySignature` has refused
 * the signature, because the search does not take constant time.
 * @param thoroughly also pairs milliseconds with other mistakes, which is most of the work
 */
export function findMistake(mismatch: Mismatch, thoroughly = true): FoundMistake | undefined {
  const found = search(mismatch, thoroughly);
  return found && together(found.mistakes);
}

interface FoundAttempt {
  readonly mistakes: readonly NamedMistake[];
  readonly attempt: SigningAttempt;
  readonly isRespelled?: boolean;
}

function search({ secret, request, signature }: Mismatch, thoroughly: boolean): FoundAttempt | undefined {
  const right = rightAttempt(secret, request);
  const fits = (digest: Buffer) =>
    !isInMilliseconds(right.timestamp) && new DigestMatcher(digest).matches(right);
  const hex = readHex(signature);
  if (hex !== undefined) {
    // The correct string is checked first, because one mistake can undo another.
    if (fits(hex)) return undefined;
    const found = attemptBehind(hex, thoroughly ? 'any two' : 'quick ones', right, request);
    if (found !== undefined) return found;
  }
  for (const spelling of wrongSpellings) {
    const digest = spelling.read(signature);
    if (digest === undefined) continue;
    const found = fits(digest)
      ? { mistakes: [], attempt: right }
      : attemptBehind(digest, 'one', right, request);
    if (found !== undefined) return { ...found, mistakes: [...found.mistakes, spelling], isRespelled: true };
  }
  return undefined;
}

function attemptBehind(
  digest: Buffer,
  scope: Scope,
  right: SigningAttempt,
  request: ExplainableRequest,
): FoundAttempt | undefined {
  const [mistakes, attempt] = searchAttempt(digest, scope, right, request) ?? [];
  return mistakes && attempt && { mistakes, attempt };
}

function together(mistakes: readonly NamedMistake[]): FoundMistake {
  return {
    id: mistakes.map(({ id }) => id).join('+'),
    description: mistakes.map(({ description }) => description).join(', and '),
    advice: mistakes.map(({ advice }) => advice).join('; '),
  };
}
