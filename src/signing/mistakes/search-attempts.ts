import { isInMilliseconds } from '../hmac/timestamp.js';
import { DigestMatcher, isDigest } from './attempt/digest-matcher.js';
import {
  attemptSize,
  type ExplainableRequest,
  type SigningAttempt,
  type SigningMistake,
} from './attempt/signing-attempt.js';
import { quickMistakes } from './known/known-mistakes.js';
import { isAnyMoment, millisecondsMistake } from './known/timestamp-mistakes.js';

/** `one`: single mistakes. `quick ones`: also pairs without milliseconds. `any two`: also pairs with milliseconds. */
export type Scope = 'one' | 'quick ones' | 'any two';

export type MadeAttempt = readonly [mistakes: readonly SigningMistake[], attempt: SigningAttempt];

interface Trial {
  readonly mistakes: readonly SigningMistake[];
  readonly attempt: SigningAttempt;
  readonly isAnyMoment?: boolean;
}

/** Maximum bytes to hash, by scope, because a search must not block a server for long. */
const maxWork = { one: 8 << 20, 'quick ones': 12 << 20, 'any two': 80 << 20 };
const attemptCost = 2048;
const momentCost = 1024;

/** Finds the attempt that has this digest, and its mistakes. Gives up after a bounded amount of work. */
export function searchAttempt(
  digest: Buffer,
  scope: Scope,
  right: SigningAttempt,
  request: ExplainableRequest,
): MadeAttempt | undefined {
  if (!isDigest(digest)) return undefined;
  const matcher = new DigestMatcher(digest);
  let left = maxWork[scope];
  for (const { mistakes, attempt, isAnyMoment } of listTrials(scope, right, request)) {
    const size = attemptSize(attempt);
    left -= isAnyMoment ? 1000 * (size + momentCost) : size + attemptCost;
    if (left < 0) return undefined;
    if (isAnyMoment) {
      const found = matcher.findMoment(attempt);
      if (found !== undefined) return [mistakes, found];
    } else if (matcher.matches(attempt)) return [mistakes, attempt];
  }
  return undefined;
}

/** In bytes; larger requests get no pairs, because each of thousands of attempts hashes the whole request. */
const pairedBytes = 16_384;

const common = quickMistakes.filter(({ isAlone = false }) => !isAlone);
const rare = quickMistakes.filter(({ isAlone = false }) => isAlone);

/** Likely and cheap attempts first, because the search may give up before the last. */
function* listTrials(scope: Scope, right: SigningAttempt, request: ExplainableRequest): Generator<Trial> {
  const isCertain = isInMilliseconds(right.timestamp);
  const singles = isCertain ? [] : [...common, ...rare];
  for (const mistake of singles) yield* reproduce([mistake], mistake.reproduce(right, request));
  yield* atMoments([], [right], request);
  if (scope === 'one' || attemptSize(right) > pairedBytes) return;
  if (!isCertain) yield* pairs(right, request);
  if (scope !== 'any two' && !isCertain) return;
  for (const mistake of common) {
    const forms = mistake.reproduce(right, request);
    const most = mistake.isAnyFormLikely ? pairedForms : 1;
    yield* atMoments([mistake], isCertain ? forms : limit(forms, most), request);
  }
}

function* reproduce(
  mistakes: readonly SigningMistake[],
  attempts: Iterable<SigningAttempt>,
): Generator<Trial> {
  for (const attempt of attempts) yield { mistakes, attempt };
}

function* atMoments(
  others: readonly SigningMistake[],
  attempts: Iterable<SigningAttempt>,
  request: ExplainableRequest,
): Generator<Trial> {
  const mistakes = [...others, millisecondsMistake];
  for (const attempt of attempts) {
    if (isAnyMoment(attempt)) yield { mistakes, attempt, isAnyMoment: true };
    else yield* reproduce(mistakes, millisecondsMistake.reproduce(attempt, request));
  }
}

/** How many forms of a mistake to combine with another; all would be too many. */
const pairedForms = 4;

function* pairs(right: SigningAttempt, request: ExplainableRequest): Generator<Trial> {
  for (const [index, first] of common.entries()) {
    const others = common.slice(index + 1).filter(({ aspect }) => aspect !== first.aspect);
    for (const attempt of limit(first.reproduce(right, request), pairedForms)) {
      for (const second of others) {
        yield* reproduce([first, second], limit(second.reproduce(attempt, request), pairedForms));
      }
    }
  }
}

function limit<Item>(items: Iterable<Item>, max: number): Item[] {
  return [...items].slice(0, max);
}
