import { timingSafeEqual } from 'node:crypto';
import { isInMilliseconds } from '../hmac/timestamp.js';
import {
  attemptDigest,
  attemptSize,
  type ExplainableRequest,
  type SigningAttempt,
  type SigningMistake,
} from './attempt/signing-attempt.js';
import { quickMistakes } from './known/known-mistakes.js';
import { millisecondsMistake } from './known/timestamp-mistakes.js';

/** Single mistakes; also pairs, except of milliseconds with another; or all pairs. */
export type Scope = 'one' | 'quick ones' | 'any two';

export type MadeAttempt = readonly [mistakes: readonly SigningMistake[], attempt: SigningAttempt];

/** Bytes hashed, each attempt counting `attemptCost` more: some milliseconds of single mistakes and of quick pairs. */
const mostWork = { one: 8 << 20, 'quick ones': 8 << 20, 'any two': Number.POSITIVE_INFINITY };
const attemptCost = 2048;

/** The attempt, with its mistakes, that has this digest; gives up after a bounded amount of work. */
export function searchAttempt(
  digest: Buffer,
  scope: Scope,
  right: SigningAttempt,
  request: ExplainableRequest,
): MadeAttempt | undefined {
  if (!isDigest(digest)) return undefined;
  let left: number = mostWork[scope];
  for (const made of listAttempts(scope, right, request)) {
    left -= attemptSize(made[1]) + attemptCost;
    if (left < 0) return undefined;
    if (matchesDigest(made[1], digest)) return made;
  }
  return undefined;
}

/** Bytes; each of thousands of attempts hashes the whole request. */
const pairedBytes = 16_384;

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
  yield* reproductions([millisecondsMistake], right, request);
  if (!pairs) return;
  yield* pairsOf(quick.filter(isPaired), right, request);
  if (scope !== 'any two' && !isCertain) return;
  for (const mistake of quickMistakes.filter(isPaired)) {
    const first = isCertain ? mistake : limitForms(mistake, 1);
    yield* reproductions([first, millisecondsMistake], right, request);
  }
}

function isPaired({ isAlone = false }: SigningMistake): boolean {
  return !isAlone;
}

/** Forms of a mistake that are tried together with another; all would be too many. */
const pairedForms = 2;

function* pairsOf(
  mistakes: readonly SigningMistake[],
  right: SigningAttempt,
  request: ExplainableRequest,
): Generator<MadeAttempt> {
  for (const [index, first] of mistakes.entries()) {
    const others = mistakes.slice(index + 1).filter(({ aspect }) => aspect !== first.aspect);
    for (const attempt of limitForms(first, pairedForms).reproduce(right, request)) {
      for (const second of others.map((other) => limitForms(other, pairedForms))) {
        for (const altered of second.reproduce(attempt, request)) yield [[first, second], altered];
      }
    }
  }
}

function limitForms(mistake: SigningMistake, most: number): SigningMistake {
  return {
    ...mistake,
    reproduce: (right, request) => [...mistake.reproduce(right, request)].slice(0, most),
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

const digestBytes = { md5: 16, sha1: 20, sha256: 32, sha384: 48, sha512: 64 } as const;

function isDigest({ byteLength }: Buffer): boolean {
  return Object.values<number>(digestBytes).includes(byteLength);
}

export function matchesDigest(attempt: SigningAttempt, digest: Buffer): boolean {
  return (
    digestBytes[attempt.algorithm] === digest.byteLength && timingSafeEqual(attemptDigest(attempt), digest)
  );
}
