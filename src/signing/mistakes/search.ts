import { isInMilliseconds } from '../hmac/timestamp.js';
import { bodyMistakes } from './known/body-mistakes.js';
import { contentTypeMistakes, layoutMistakes } from './known/layout-mistakes.js';
import { algorithmMistakes, secretMistakes } from './known/secret-mistakes.js';
import { targetMistakes } from './known/target-mistakes.js';
import { millisecondsMistakes, timestampMistakes } from './known/timestamp-mistakes.js';
import {
  type ExplainableRequest,
  hasDigest,
  type NamedMistake,
  type Signed,
  type SigningMistake,
  signedSize,
} from './mistake.js';

/** All mistakes in signing except milliseconds, in the order in which a pair alters what is signed. */
export const quickMistakes: readonly SigningMistake[] = [
  ...secretMistakes,
  ...targetMistakes,
  ...bodyMistakes,
  ...contentTypeMistakes,
  ...layoutMistakes,
  ...algorithmMistakes,
  ...timestampMistakes,
];

const rare = quickMistakes.filter(({ isAlone }) => isAlone);
const common = quickMistakes.filter(({ isAlone }) => !isAlone);

/** `one`: single mistakes. `quick ones`: also pairs that guess no milliseconds. `any two`: also those that do. */
export type Scope = 'one' | 'quick ones' | 'any two';

export interface Trial {
  readonly mistakes: readonly NamedMistake[];
  readonly signed: Signed;
}

/** Bytes to hash: a search must not block a server for long. */
const maxWork = { one: 8 << 20, 'quick ones': 12 << 20, 'any two': 80 << 20 };

/** Finds mistakes that explain the digest. Gives up after a bounded amount of work. */
export function search(
  digest: Buffer,
  scope: Scope,
  right: Signed,
  request: ExplainableRequest,
): Trial | undefined {
  // The lengths of SHA-1, SHA-256 and SHA-512.
  if (![20, 32, 64].includes(digest.byteLength)) return undefined;
  let left = maxWork[scope];
  for (const trial of listTrials(scope, right, request)) {
    left -= signedSize(trial.signed) + 1024;
    if (left < 0) return undefined;
    if (hasDigest(trial.signed, digest)) return trial;
  }
  return undefined;
}

/** Bytes of the largest request to try pairs on: each of thousands of attempts hashes it. */
const pairedBytes = 16_384;

/** Maximum forms of a mistake to combine with another, except `milliseconds`. */
const pairedForms = 4;

/** Likely and cheap trials first, because the search may give up before the last. */
function* listTrials(scope: Scope, signed: Signed, request: ExplainableRequest): Generator<Trial> {
  const right: Trial = { mistakes: [], signed };
  // A timestamp sent in milliseconds is itself a mistake, so every trial has it.
  const inMilliseconds = isInMilliseconds(signed.timestamp);
  const singles = inMilliseconds ? [] : [...common, ...rare];
  for (const mistake of [...singles, ...millisecondsMistakes]) yield* alter(right, mistake, request);
  if (scope === 'one' || signedSize(signed) > pairedBytes) return;
  for (const [index, first] of (inMilliseconds ? [] : common).entries()) {
    const others = common.slice(index + 1).filter(({ aspect }) => aspect !== first.aspect);
    for (const trial of alter(right, first, request).slice(0, pairedForms)) {
      for (const second of others) yield* alter(trial, second, request).slice(0, pairedForms);
    }
  }
  if (scope === 'quick ones' && !inMilliseconds) return;
  for (const first of common) {
    // Each form of `base-path-missing` is as likely as the others.
    const most = inMilliseconds || first.id === 'base-path-missing' ? pairedForms : 1;
    for (const trial of alter(right, first, request).slice(0, most)) {
      for (const second of millisecondsMistakes) yield* alter(trial, second, request);
    }
  }
}

function alter({ mistakes, signed }: Trial, mistake: SigningMistake, request: ExplainableRequest): Trial[] {
  const forms = mistake.forms(signed, request).map((form): Signed => ({ ...signed, ...form }));
  const before = String(Object.values(signed));
  const others = forms.filter(
    (form) => mistake.id === 'milliseconds' || String(Object.values(form)) !== before,
  );
  return others.map((other) => ({ mistakes: [...mistakes, mistake], signed: other }));
}
