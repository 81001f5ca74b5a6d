import { shapeProblem } from '../hmac/signature.js';
import { isInMilliseconds } from '../hmac/timestamp.js';
import { type Correction, listCorrections, type SignedDifference, signedInstead } from './difference.js';
import { millisecondsMistake } from './known/timestamp-mistakes.js';
import { describeMistakes, type NamedMistake } from './mistake.js';
import { quickMistakes, type Scope, search } from './search.js';
import { readHex, wrongSpellings } from './signature-spellings.js';
import type { ExplainableRequest } from './signed.js';
import { digestMatcher, type Signed, signedRight } from './signed.js';
import { visibleCanonical } from './visible-canonical.js';

/** A signature that does not match, and its context. */
export interface Mismatch {
  readonly secret: string;
  readonly request: ExplainableRequest;
  readonly signature: string;
}

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
  const right = signedRight(secret, request);
  const found = searchSpellings(mismatch, right, thoroughly);
  const canonical = visibleCanonical(request, secret);
  if (found !== undefined) {
    const { mistakes, signed } = found;
    const isRespelled = mistakes.some(({ ofForm }) => ofForm);
    return {
      reason: describeMistakes(mistakes),
      mistake: together(mistakes),
      canonical,
      ...signedInstead(signed, right, secret),
      corrections: [
        ...listCorrections(signed, right, secret),
        ...(isRespelled ? [{ part: 'signature' } as const] : []),
      ],
    };
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
  const right = signedRight(mismatch.secret, mismatch.request);
  const found = searchSpellings(mismatch, right, thoroughly);
  return found && together(found.mistakes);
}

interface Found {
  readonly mistakes: readonly NamedMistake[];
  readonly signed: Signed;
}

function searchSpellings(
  { request, signature }: Mismatch,
  right: Signed,
  thoroughly: boolean,
): Found | undefined {
  const find = (digest: Buffer, scope: Scope): Found | undefined => {
    // The right string is checked first, because one mistake can undo another.
    const isRight = !isInMilliseconds(right.timestamp) && digestMatcher(digest)(right);
    return isRight ? { mistakes: [], signed: right } : search(digest, scope, right, request);
  };
  const hex = readHex(signature);
  const found = hex && find(hex, thoroughly ? 'any two' : 'quick ones');
  if (found !== undefined) return found.mistakes.length === 0 ? undefined : found;
  for (const spelling of wrongSpellings) {
    const digest = spelling.read(signature);
    const spelled = digest && find(digest, 'one');
    if (spelled !== undefined) return { ...spelled, mistakes: [...spelled.mistakes, spelling] };
  }
  return undefined;
}

function together(mistakes: readonly NamedMistake[]): FoundMistake {
  return {
    id: mistakes.map(({ id }) => id).join('+'),
    description: mistakes.map(({ description }) => description).join(', and '),
    advice: mistakes.map(({ advice }) => advice).join('; '),
  };
}
