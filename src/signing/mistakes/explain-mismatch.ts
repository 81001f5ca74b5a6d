import { timingSafeEqual } from 'node:crypto';
import { shapeProblem } from '../hmac/signature.js';
import { isInMilliseconds } from '../hmac/timestamp.js';
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
import { visibleCanonical } from './visible-canonical.js';

/** A signature that does not match, and its context. */
export interface Mismatch {
  readonly secret: string;
  readonly request: ExplainableRequest;
  readonly signature: string;
}

/** Why a signature does not fit. */
export type FoundMistake = NamedMistake;

/** Why a signature was refused, safe to log: without the secret or a valid signature. */
export interface MismatchExplanation {
  readonly reason: string;
  readonly mistake: FoundMistake | undefined;
  /** The expected string, as `visibleCanonical` shows it. */
  readonly canonical: string;
  /** The string that was signed; absent if it is unknown, or the same. */
  readonly signed?: string;
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
  if (shape !== undefined) return { reason: shape, mistake: malformedSignature, canonical };
  const reason = 'the signature was made with another secret, or over something else than was sent';
  return { reason, mistake: undefined, canonical };
}

const malformedSignature: FoundMistake = {
  id: 'malformed',
  description: 'in another form than 64 characters of 0-9 and a-f',
  advice: 'send the HMAC-SHA256 as 64 lower-case hexadecimal digits, and nothing before or after them',
};

interface SignatureSpelling extends NamedMistake {
  readonly read: (signature: string) => Buffer | undefined;
}

const inHex = 'write the HMAC in lower-case hexadecimal';

/** The API reference requires lower-case hexadecimal (section 5, mode B). */
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

/** Every mistake that `explainMismatch` knows, for lists and help. */
export const knownMistakes: readonly FoundMistake[] = [
  ...quickMistakes,
  timestampMistake,
  ...wrongSpellings,
  malformedSignature,
].map(({ id, description, advice }) => ({ id, description, advice }));

/**
 * The known mistake, or pair of mistakes, that reproduces a signature. For diagnosis after `verifySignature`, since its
 * duration reveals the mistake: up to thirty thousand hashes of a small request (0.1 s), thousands over 4 KiB, dozens over
 * 16 KiB.
 * @param thoroughly also pairs milliseconds with other mistakes, which is most of the work
 */
export function findMistake(mismatch: Mismatch, thoroughly = true): FoundMistake | undefined {
  const found = search(mismatch, thoroughly);
  return found && together(found.mistakes);
}

interface FoundAttempt {
  readonly mistakes: readonly NamedMistake[];
  readonly attempt: SigningAttempt;
}

function search({ secret, request, signature }: Mismatch, thoroughly: boolean): FoundAttempt | undefined {
  const right = rightAttempt(secret, request);
  const fits = (digest: Buffer) => !isInMilliseconds(right.timestamp) && matchesDigest(right, digest);
  const hex = readHex(signature);
  if (hex !== undefined) {
    // Checked first, since one mistake can undo another.
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

function together(mistakes: readonly NamedMistake[]): FoundMistake {
  return {
    id: mistakes.map(({ id }) => id).join('+'),
    description: mistakes.map(({ description }) => description).join(', and '),
    advice: mistakes.map(({ advice }) => advice).join('; '),
  };
}

/** Bytes; each of thousands of attempts hashes the whole request. */
const pairedBytes = 16_384;

/** Single mistakes; also pairs, except of milliseconds with another; or all pairs. */
type Scope = 'one' | 'quick ones' | 'any two';

function attemptBehind(
  digest: Buffer,
  scope: Scope,
  right: SigningAttempt,
  request: ExplainableRequest,
): FoundAttempt | undefined {
  if (!isDigest(digest)) return undefined;
  for (const [mistakes, attempt] of listAttempts(scope, right, request)) {
    if (matchesDigest(attempt, digest)) return { mistakes, attempt };
  }
  return undefined;
}

type MadeAttempt = readonly [mistakes: readonly SigningMistake[], attempt: SigningAttempt];

/** The timestamp's mistake comes last, having the most forms. */
function* listAttempts(
  scope: Scope,
  right: SigningAttempt,
  request: ExplainableRequest,
): Generator<MadeAttempt> {
  const pairs = scope !== 'one' && attemptSize(right) <= pairedBytes;
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

/** All forms would be too many on top of the timestamp's thousand. */
function commonestForm(mistake: SigningMistake): SigningMistake {
  return {
    ...mistake,
    reproduce: (right, request) => {
      const [commonest] = mistake.reproduce(right, request);
      return commonest === undefined ? [] : [commonest];
    },
  };
}

function* reproductions(
  [first, second]: readonly [SigningMistake, SigningMistake?],
  right: SigningAttempt,
  request: ExplainableRequest,
): Generator<MadeAttempt> {
  for (const attempt of first.reproduce(right, request)) {
    if (second === undefined) yield [[first], attempt];
    else for (const altered of second.reproduce(attempt, request)) yield [[first, second], altered];
  }
}

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const;

function isDigest({ byteLength }: Buffer): boolean {
  return Object.values<number>(digestBytes).includes(byteLength);
}

function matchesDigest(attempt: SigningAttempt, digest: Buffer): boolean {
  return (
    digestBytes[attempt.algorithm] === digest.byteLength && timingSafeEqual(attemptDigest(attempt), digest)
  );
}

function readHex(signature: string): Buffer | undefined {
  return isHex(signature) ? Buffer.from(signature, 'hex') : undefined;
}

function isHex(text: string): boolean {
  return text.length % 2 === 0 && /^[0-9a-f]+$/.test(text);
}

/** In either alphabet, padded or not; also base64 of hexadecimal digits. */
function readBase64(signature: string): Buffer | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(signature)) return undefined;
  const bytes = Buffer.from(signature, 'base64');
  return readHex(bytes.toString('latin1')) ?? bytes;
}
