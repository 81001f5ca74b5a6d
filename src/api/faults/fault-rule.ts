import { UsageError } from '../../errors/errors.js';
import { parseDuration } from '../../text/duration.js';
import { type Glob, glob } from '../../text/glob.js';
import { faultEffects, faultForm } from './fault-grammar.js';

/** Such as `GET /quotas=503x2`. The type catches only coarse mistakes; `parseFaultRule` checks everything. */
export type FaultRuleText = `${string} ${'*' | `/${string}`}=${FaultEffectText}${string}`;

// Only a few effects, because the compiler's error messages list every combination.
type FaultEffectText = number | `delay:${number}` | 'drop' | 'reset' | 'truncate';

export type FaultEffect =
  /** Responds before any check; `retryAfter` is in seconds. */
  | { readonly kind: 'status'; readonly status: number; readonly retryAfter: number | undefined }
  /** Handles the request as usual after the delay, which is chosen at random if the two bounds differ. */
  | { readonly kind: 'delay'; readonly least: number; readonly most: number }
  /** `drop` and `reset` (of TCP) do not carry out the request; `drop-answer` and `truncate` (of the body) do. */
  | { readonly kind: 'drop' | 'reset' | 'drop-answer' | 'truncate' };

export interface FaultRule {
  readonly text: string;
  readonly method: string;
  readonly path: Glob;
  readonly effect: FaultEffect;
  readonly times: number | undefined;
  /** From 0 to 1. */
  readonly probability: number;
  readonly seed: number;
}

const rulePattern =
  /^(\*|[A-Za-z]+) +(\*|\/[^\s?]*)=([a-z-]+|[45]\d\d)(?::(\d+(?:\.\d+)?(?:ms|s|m|h|d))(?:-(\d+(?:\.\d+)?(?:ms|s|m|h|d)))?)?(?:x([1-9]\d{0,8}))?(?:%(\d{1,3}(?:\.\d{1,6})?)(?:@(\d{1,9}))?)?$/;

/** Parses a rule such as `GET /quotas=503x2` or `* *=delay:2s%10@7`. @throws UsageError with the grammar */
export function parseFaultRule(text: string): FaultRule {
  const [, method = '', path = '', name = '', wait, most = wait, times, percent = '100', seed = '0'] =
    rulePattern.exec(text.trim()) ?? [];
  const effect = parseEffect(name, wait, most);
  if (method === '' || effect === undefined || Number(percent) > 100) {
    throw new UsageError(`${JSON.stringify(text)} is not a fault rule`, {
      hint: `for example 'GET /quotas=503x2'; '${faultForm}'; the path has no query; * stands for any method and, in a path, for any characters; EFFECT is ${faultEffects}`,
    });
  }
  return {
    text: text.trim(),
    method: method.toUpperCase(),
    path: glob(path),
    effect,
    times: times === undefined ? undefined : Number(times),
    probability: Number(percent) / 100,
    seed: Number(seed),
  };
}

/** Checks rules that no compiler has checked. @throws UsageError with the grammar */
export function requireFaultRules(rules: readonly string[]): asserts rules is readonly FaultRuleText[] {
  rules.forEach(parseFaultRule);
}

/** `undefined` for an unknown effect, or one whose duration is missing, wrong or not allowed. */
function parseEffect(name: string, wait?: string, most?: string): FaultEffect | undefined {
  const read = (text = '0ms') => parseDuration(text) ?? Number.NaN;
  const [least, upTo] = [read(wait), read(most)];
  if (name === 'delay') return wait && least <= upTo ? { kind: name, least, most: upTo } : undefined;
  const canAskToWait = name === '429' || name === '503';
  if (least !== upTo || (wait !== undefined && !canAskToWait)) return undefined;
  if (name === 'drop' || name === 'reset' || name === 'drop-answer' || name === 'truncate')
    return { kind: name };
  // In seconds; 1 by default.
  const retryAfter = canAskToWait ? Math.ceil((wait === undefined ? 1000 : least) / 1000) : undefined;
  return /^\d/.test(name) ? { kind: 'status', status: Number(name), retryAfter } : undefined;
}
