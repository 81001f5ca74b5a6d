import { isInMilliseconds } from '../hmac/timestamp.js';
import { bodyMistakes } from './known/body-mistakes.js';
import { contentTypeMistakes, layoutMistakes } from './known/layout-mistakes.js';
import { algorithmMistakes, secretMistakes } from './known/secret-mistakes.js';
import { targetMistakes } from './known/target-mistakes.js';
import { millisecondsMistake, timestampMistakes } from './known/timestamp-mistakes.js';
import type { SigningMistake } from './mistake.js';
import type { ExplainableRequest } from './signed.js';
import { digestMatcher, isDigest, type Signed, signedSize } from './signed.js';

/** In the order in which pairs alter what is signed; without milliseconds, which take a thousand attempts. */
export const quickMistakes: readonly SigningMistake[] = [
  ...secretMistakes,
  ...targetMistakes,
  ...bodyMistakes,
  ...contentTypeMistakes,
  ...layoutMistakes,
  ...algorithmMistakes,
  ...timestampMistakes,
];

const rare = quickMistakes.filter(({ isAlone = false }) => isAlone);
const common = quickMistakes.filter((mistake) => !rare.includes(mistake));

/** `one`: single mistakes. `quick ones`: also pairs without milliseconds. `any two`: also pairs with milliseconds. */
export type Scope = 'one' | 'quick ones' | 'any two';

/** What was signed, and the mistakes that make it of the right string. */
interface Trial {
  readonly mistakes: readonly SigningMistake[];
  readonly signed: Signed;
}

/** Maximum bytes to hash, by scope, because a search must not block a server for long. */
const maxWork = { one: 8 << 20, 'quick ones': 12 << 20, 'any two': 80 << 20 };
const trialCost = 1024;

/** Finds what has this digest. Gives up after a bounded amount of work. */
export function search(
  digest: Buffer,
  scope: Scope,
  right: Signed,
  request: ExplainableRequest,
): Trial | undefined {
  if (!isDigest(digest)) return undefined;
  const matches = digestMatcher(digest);
  let left = maxWork[scope];
  for (const trial of listTrials(scope, right, request)) {
    left -= signedSize(trial.signed) + trialCost;
    if (left < 0) return undefined;
    if (matches(trial.signed)) return trial;
  }
  return undefined;
}

/** In bytes; larger requests get no pairs, because each of thousands of attempts hashes the whole request. */
const pairedBytes = 16_384;

/** How many forms of a mistake to combine with another; all would be too many. */
const pairedForms = 4;

/** Likely and cheap trials first, because the search may give up before the last. */
function* listTrials(scope: Scope, signed: Signed, request: ExplainableRequest): Generator<Trial> {
  const right: Trial = { mistakes: [], signed };
  const inMilliseconds = isInMilliseconds(signed.timestamp);
  const alter = (trial: Trial, mistake: SigningMistake) => listAltered(trial, mistake, request);
  if (!inMilliseconds) for (const mistake of [...common, ...rare]) yield* alter(right, mistake);
  yield* alter(right, millisecondsMistake);
  if (scope === 'one' || signedSize(signed) > pairedBytes) return;
  if (!inMilliseconds) {
    for (const [index, first] of common.entries()) {
      const others = common.slice(index + 1).filter(({ aspect }) => aspect !== first.aspect);
      for (const trial of alter(right, first).slice(0, pairedForms)) {
        for (const second of others) yield* alter(trial, second).slice(0, pairedForms);
      }
    }
    if (scope === 'quick ones') return;
  }
  for (const mistake of common) {
    // Any segment of a path is as likely as another to be the first one signed.
    const most = mistake.id === 'base-path-missing' ? pairedForms : 1;
    const trials = alter(right, mistake);
    for (const trial of inMilliseconds ? trials : trials.slice(0, most))
      yield* alter(trial, millisecondsMistake);
  }
}

function listAltered(
  { mistakes, signed }: Trial,
  mistake: SigningMistake,
  request: ExplainableRequest,
): Trial[] {
  const before = Object.values(signed).map(String);
  const forms = mistake.forms(signed, request).map((form): Signed => ({ ...signed, ...form }));
  // Milliseconds that were sent are wrong as they are.
  const others =
    mistake === millisecondsMistake
      ? forms
      : forms.filter((form) => Object.values(form).some((value, at) => String(value) !== before[at]));
  return others.map((other) => ({ mistakes: [...mistakes, mistake], signed: other }));
}
