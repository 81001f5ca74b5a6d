import { timingSafeEqual } from 'node:crypto';
import { signingMistakes } from './known-mistakes.js';
import {
  attemptDigest,
  type ExplainableRequest,
  rightAttempt,
  type SigningAttempt,
} from './signing-attempt.js';
import { visibleCanonical } from './visible-canonical.js';

/** A signature that does not fit, with what is needed to look for the reason. */
export interface Mismatch {
  readonly secret: string;
  readonly request: ExplainableRequest;
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

/** A way of writing an HMAC as text. */
interface SignatureSpelling {
  readonly id: string;
  /** Completes the sentence "The signature was made …". */
  readonly description: string;
  /** The bytes that a signature in this spelling stands for; `undefined` when it is not in this spelling. */
  readonly read: (signature: string) => Buffer | undefined;
}

/** Spellings other than lower-case hexadecimal, the one of the reference (section 5, mode B). */
const wrongSpellings: readonly SignatureSpelling[] = [
  {
    id: 'upper-case-hex',
    description: 'in upper-case hexadecimal',
    read: (signature) => (isHex(signature.toLowerCase()) ? Buffer.from(signature, 'hex') : undefined),
  },
  {
    id: 'base64',
    description: 'in base64 instead of hexadecimal',
    read: readBase64,
  },
];

/** Every mistake that `findMistake` knows (contract, section 4), for lists and help. */
export const knownMistakes: readonly FoundMistake[] = [...signingMistakes, ...wrongSpellings].map(
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
  request: ExplainableRequest,
): FoundMistake | undefined {
  for (const { id, description, reproduce } of signingMistakes) {
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

/** The bytes of a signature in lower-case hexadecimal. */
function readHex(signature: string): Buffer | undefined {
  return isHex(signature) ? Buffer.from(signature, 'hex') : undefined;
}

function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-f]+$/.test(text);
}

/** Either alphabet, with or without padding; also base64 of the hexadecimal digits. */
function readBase64(signature: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) return undefined;
  const bytes = Buffer.from(signature, 'base64');
  return readHex(bytes.toString('latin1')) ?? bytes;
}
