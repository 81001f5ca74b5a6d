import { timingSafeEqual } from 'node:crypto';
import { quickMistakes, timestampMistake } from './known-mistakes.js';
import { type SignedDifference, signedInstead } from './signed-instead.js';
import {
  attemptDigest,
  attemptSize,
  type ExplainableRequest,
  type NamedMistake,
  rightAttempt,
  type SigningAttempt,
  type SigningMistake,
} from './signing-attempt.js';
import { isInMilliseconds } from './timestamp.js';
import { visibleCanonical } from './visible-canonical.js';

/** A signature that does not match, with what is needed to find the reason. */
export interface Mismatch {
  readonly secret: string;
  readonly request: ExplainableRequest;
  /** As it was sent. */
  readonly signature: string;
}

/** Why a signature does not fit. */
export type FoundMistake = NamedMistake;

/** Why a signature was refused, in words that may be logged: they hold neither the secret nor a valid signature. */
export interface MismatchExplanation {
  /** A sentence without a full stop. */
  readonly reason: string;
  readonly mistake: FoundMistake | undefined;
  /** What should have been signed, as `visibleCanonical` shows it. */
  readonly canonical: string;
  /** What was signed in its place, in the same form; absent where that is not known, or is no other string. */
  readonly signed?: string;
  /** Where the two differ first. */
  readonly difference?: SignedDifference;
}

/**
 * Explains a signature that `verifySignature` has refused.
 * @param thoroughly see `findMistake`
 */
export function explainMismatch(mismatch: Mismatch, thoroughly = true): MismatchExplanation {
  const { signature, request, secret } = mismatch;
  const found = search(mismatch, thoroughly);
  const canonical = visibleCanonical(request, secret);
  if (found !== undefined) {
    const mistake = together(found.mistakes);
    const reason = `the signature was made ${mistake.description}`;
    return { reason, mistake, canonical, ...signedInstead(found.attempt, mismatch) };
  }
  const shape = shapeProblem(signature);
  if (shape !== undefined) return { reason: shape, mistake: malformed, canonical };
  const reason = 'the signature was made with another secret, or over something else than was sent';
  return { reason, mistake: undefined, canonical };
}

/** What is no signature at all, and the signature of no known mistake either. */
const malformed: FoundMistake = {
  id: 'malformed',
  description: 'in another form than 64 characters of 0-9 and a-f',
  advice: 'send the HMAC-SHA256 as 64 lower-case hexadecimal digits, and nothing before or after them',
};

/** Why a text is no signature, without repeating any of it; `undefined` when it has the form of one. */
function shapeProblem(signature: string): string | undefined {
  if (/^[0-9a-f]{64}$/.test(signature)) return undefined;
  const { length } = signature;
  if (length !== 64) return `this is no signature: it has ${length} characters, and a signature has 64`;
  return 'this is no signature: it has other characters than 0-9 and a-f';
}

/** A way of writing an HMAC as text. */
interface SignatureSpelling extends NamedMistake {
  /** The bytes that a signature in this spelling stands for; `undefined` when it is not in this spelling. */
  readonly read: (signature: string) => Buffer | undefined;
}

const inHex = 'write the HMAC in lower-case hexadecimal';

/** Spellings other than lower-case hexadecimal, the one of the reference (section 5, mode B). */
const wrongSpellings: readonly SignatureSpelling[] = [
  {
    id: 'upper-case-hex',
    description: 'in upper-case hexadecimal',
    advice: inHex,
    read: (signature) => (isHex(signature.toLowerCase()) ? Buffer.from(signature, 'hex') : undefined),
  },
  {
    id: 'base64',
    description: 'in base64 instead of hexadecimal',
    advice: inHex,
    read: readBase64,
  },
];

/** Every mistake that `explainMismatch` knows (contract, section 4), for lists and help. */
export const knownMistakes: readonly FoundMistake[] = [
  ...quickMistakes,
  timestampMistake,
  ...wrongSpellings,
  malformed,
].map(({ id, description, advice }) => ({ id, description, advice }));

/**
 * The known mistake that reproduces a signature, or any two that were made together; `undefined` when none does, or when
 * the signature fits. One mistake is looked for before two: the fewer are needed, the likelier it is.
 *
 * This is diagnosis, to be asked after `verifySignature` has refused: its duration tells which mistake was made. It takes
 * up to some thirty thousand hashes of a small request, less than 0.1 s; over 4 KiB some thousands, and over 16 KiB some
 * dozens, since two mistakes are looked for no more. Only the comparison itself is in constant time, since the right
 * signature of another request is among what is compared.
 * @param thoroughly whether milliseconds are looked for together with other mistakes, which is most of the work
 */
export function findMistake(mismatch: Mismatch, thoroughly = true): FoundMistake | undefined {
  const found = search(mismatch, thoroughly);
  return found && together(found.mistakes);
}

/** The mistakes behind a signature, and what was signed. */
interface Found {
  readonly mistakes: readonly NamedMistake[];
  readonly attempt: SigningAttempt;
}

function search({ secret, request, signature }: Mismatch, thoroughly: boolean): Found | undefined {
  const right = rightAttempt(secret, request);
  const fits = (digest: Buffer) => !isInMilliseconds(right.timestamp) && isDigestOf(right, digest);
  const hex = readHex(signature);
  if (hex !== undefined) {
    // Asked first, since one mistake can undo another.
    return fits(hex) ? undefined : attemptBehind(hex, thoroughly ? 'any two' : 'quick ones', right, request);
  }
  for (const spelling of wrongSpellings) {
    const digest = spelling.read(signature);
    if (digest === undefined) continue;
    const found = fits(digest)
      ? { mistakes: [], attempt: right }
      : attemptBehind(digest, 'one', right, request);
    if (found !== undefined) return { ...found, mistakes: [...found.mistakes, spelling] };
  }
  return undefined;
}

/** Mistakes made together in words. */
function together(mistakes: readonly NamedMistake[]): FoundMistake {
  return {
    id: mistakes.map(({ id }) => id).join('+'),
    description: mistakes.map(({ description }) => description).join(', and '),
    advice: [...new Set(mistakes.map(({ advice }) => advice))].join('; '),
  };
}

/** Requests over this size are not searched for two mistakes at once: each of some thousand attempts hashes all of one. */
const pairedBytes = 16_384;

/** What is looked for: one mistake; also two, but for milliseconds with another one; or any two. */
type Scope = 'one' | 'quick ones' | 'any two';

function attemptBehind(
  digest: Buffer,
  scope: Scope,
  right: SigningAttempt,
  request: ExplainableRequest,
): Found | undefined {
  if (!isDigest(digest)) return undefined;
  for (const [mistakes, attempt] of attempts(scope, right, request)) {
    if (isDigestOf(attempt, digest)) return { mistakes, attempt };
  }
  return undefined;
}

type MadeAttempt = readonly [mistakes: readonly SigningMistake[], attempt: SigningAttempt];

/** What may have been signed by one mistake, then by two. The timestamp's comes last, for the number of its forms. */
function* attempts(scope: Scope, right: SigningAttempt, request: ExplainableRequest): Generator<MadeAttempt> {
  const pairs = scope !== 'one' && attemptSize(right) + sizeOfExtras(request) <= pairedBytes;
  const isCertain = isInMilliseconds(right.timestamp);
  const quick = isCertain ? [] : quickMistakes;
  for (const mistake of quick) yield* reproductions([mistake], right, request);
  yield* reproductions([timestampMistake], right, request);
  if (!pairs) return;
  for (const [index, first] of quick.entries()) {
    for (const second of quick.slice(index + 1)) {
      if (first.aspect !== second.aspect) yield* reproductions([first, second], right, request);
    }
  }
  if (scope !== 'any two' && !isCertain) return;
  for (const mistake of quickMistakes) {
    const first = isCertain ? mistake : commonestForm(mistake);
    yield* reproductions([first, timestampMistake], right, request);
  }
}

/** Forms that the correct string never has, and mistaken ones may. */
function sizeOfExtras({ contentType, origin = '', keyId = '' }: ExplainableRequest): number {
  return contentType.length + origin.length + keyId.length;
}

/** Together with the thousand forms of the timestamp's mistake, all forms of another would be too many. */
function commonestForm(mistake: SigningMistake): SigningMistake {
  return {
    ...mistake,
    reproduce: (right, request) => {
      const [commonest] = mistake.reproduce(right, request);
      return commonest === undefined ? [] : [commonest];
    },
  };
}

/** What is signed when all of the mistakes are made, each on top of the one before. */
function* reproductions(
  mistakes: readonly SigningMistake[],
  right: SigningAttempt,
  request: ExplainableRequest,
): Generator<MadeAttempt> {
  const [first, ...more] = mistakes;
  if (first === undefined) return;
  for (const attempt of first.reproduce(right, request)) {
    if (more.length === 0) yield [mistakes, attempt];
    else for (const [, altered] of reproductions(more, attempt, request)) yield [mistakes, altered];
  }
}

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const;

function isDigest({ byteLength }: Buffer): boolean {
  return Object.values<number>(digestBytes).includes(byteLength);
}

function isDigestOf(attempt: SigningAttempt, digest: Buffer): boolean {
  return (
    digestBytes[attempt.algorithm] === digest.byteLength && timingSafeEqual(attemptDigest(attempt), digest)
  );
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
