import { timingSafeEqual } from 'node:crypto';
import { bodyMistakes } from './body-mistakes.js';
import { keyMistakes } from './key-mistakes.js';
import { requestMistakes } from './request-mistakes.js';
import { readHex, wrongSpellings } from './signature-spelling.js';
import { attemptDigest, type ReceivedRequest, rightAttempt, type SigningAttempt } from './signing-attempt.js';
import { timestampMistake } from './timestamp-mistake.js';

/** A signature that does not fit, with what is needed to look for the reason. */
export interface Mismatch {
  readonly secret: string;
  readonly request: ReceivedRequest;
  /** As it was sent. */
  readonly signature: string;
}

/** Why a signature does not fit. */
export interface FoundMistake {
  /** Stable; two mistakes made together are joined by `+`. */
  readonly id: string;
  /** Completes the sentence "The signature was made …". */
  readonly description: string;
}

const mistakes = [...requestMistakes, ...bodyMistakes, ...keyMistakes, timestampMistake];

/** Every mistake that `findMistake` knows (contract, section 4), for lists and help. */
export const knownMistakes: readonly FoundMistake[] = [...mistakes, ...wrongSpellings].map(
  ({ id, description }) => ({ id, description }),
);

/**
 * The known mistake that reproduces a signature; `undefined` when none does, or when the signature fits. Of mistakes
 * made together, a wrong spelling of the HMAC (base64, upper case) is found with any one other, since that costs no
 * further hash, and a missing body with a missing content type.
 *
 * This is diagnosis, to be asked after `verifySignature` has refused: it takes up to about a thousand hashes of a
 * small request and forty of a large one, and its duration tells which mistake was made. Only the comparison itself is
 * in constant time, since the right signature of another request is among what is compared.
 */
export function findMistake({ secret, request, signature }: Mismatch): FoundMistake | undefined {
  const right = rightAttempt(secret, request);
  const hex = readHex(signature);
  if (hex !== undefined) return mistakeBehind(hex, right, request);
  for (const { read, id, description } of wrongSpellings) {
    const digest = read(signature);
    if (digest === undefined) continue;
    const other = mistakeBehind(digest, right, request);
    if (other !== undefined) {
      return { id: `${other.id}+${id}`, description: `${other.description}, ${description}` };
    }
    if (isDigestOf(right, digest)) return { id, description };
  }
  return undefined;
}

function mistakeBehind(
  digest: Buffer,
  right: SigningAttempt,
  request: ReceivedRequest,
): FoundMistake | undefined {
  for (const { id, description, reproduce } of mistakes) {
    for (const attempt of reproduce(right, request)) {
      if (isDigestOf(attempt, digest)) return { id, description };
    }
  }
  return undefined;
}

function isDigestOf(attempt: SigningAttempt, digest: Buffer): boolean {
  const own = attemptDigest(attempt);
  return own.byteLength === digest.byteLength && timingSafeEqual(own, digest);
}
