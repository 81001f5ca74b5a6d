import { UsageError } from '../../errors/errors.js';
import { explainDuration, parseDuration } from '../../text/duration.js';
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
  /** Drops the connection without carrying out the request. */
  | { readonly kind: 'drop' }
  /** The same, by a reset of the TCP connection. */
  | { readonly kind: 'reset' }
  /** Carries out the request, then drops the connection instead of responding. */
  | { readonly kind: 'drop-answer' }
  /** Carries out the request, then drops the connection in the middle of the response body. */
  | { readonly kind: 'truncate' };

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

const faultGrammar = `'${faultForm}'; the path has no query; * stands for any method and, in a path, for any characters; EFFECT is ${faultEffects}`;

const rulePattern =
  /^(\*|[A-Za-z]+) +(\*|\/[^\s?]*)=([a-z-]+|\d{3})(?::(\d+(?:\.\d+)?(?:ms|s|m|h|d))(?:-(\d+(?:\.\d+)?(?:ms|s|m|h|d)))?)?(?:x([1-9]\d{0,8}))?(?:%(\d{1,3}(?:\.\d{1,6})?)(?:@(\d{1,9}))?)?$/;

/** Parses a rule such as `GET /quotas=503x2` or `* *=delay:2s%10@7`. @throws UsageError with the grammar */
export function parseFaultRule(text: string): FaultRule {
  const [, method, path, effect, duration, most, times, percent = '100', seed = '0'] =
    rulePattern.exec(text.trim()) ?? [];
  if (method === undefined || path === undefined || effect === undefined) {
    throw refuseRule(text);
  }
  if (Number(percent) > 100) throw refuseRule(text, 'a probability must be at most 100 percent');
  return {
    text: text.trim(),
    method: method.toUpperCase(),
    path: glob(path),
    effect: parseEffect(text, effect, duration, most),
    times: times === undefined ? undefined : Number(times),
    probability: Number(percent) / 100,
    seed: Number(seed),
  };
}

/** Checks rules that no compiler has checked. @throws UsageError with the grammar */
export function requireFaultRules(rules: readonly string[]): asserts rules is readonly FaultRuleText[] {
  rules.forEach(parseFaultRule);
}

function parseEffect(text: string, name: string, duration?: string, upTo?: string): FaultEffect {
  const milliseconds = parseWait(text, duration);
  const most = parseWait(text, upTo);
  if (most !== undefined && (name !== 'delay' || most < (milliseconds ?? 0)))
    throw refuseRule(text, 'only a delay has two durations, the shorter one first');
  if (/^\d/.test(name)) return parseStatus(text, Number(name), milliseconds);
  if (name === 'delay') {
    if (milliseconds === undefined) throw refuseRule(text, 'the delay has no duration');
    return { kind: 'delay', least: milliseconds, most: most ?? milliseconds };
  }
  if (milliseconds !== undefined) throw refuseRule(text, `${name} takes no duration`);
  if (name === 'drop' || name === 'reset' || name === 'drop-answer' || name === 'truncate')
    return { kind: name };
  throw refuseRule(text, `unknown effect ${name}`);
}

function parseWait(text: string, duration: string | undefined): number | undefined {
  if (duration === undefined) return undefined;
  const milliseconds = parseDuration(duration);
  if (milliseconds === undefined) throw refuseRule(text, explainDuration(duration));
  return milliseconds;
}

/** In seconds. */
const defaultRetryAfter = 1;

function parseStatus(text: string, status: number, wait: number | undefined): FaultEffect {
  if (status < 400 || status > 599) throw refuseRule(text, `${status} is not a status from 400 to 599`);
  const canAskToWait = status === 429 || status === 503;
  if (wait !== undefined && !canAskToWait)
    throw refuseRule(text, 'only the statuses 429 and 503 take a duration');
  const seconds = wait === undefined ? defaultRetryAfter : Math.ceil(wait / 1000);
  return { kind: 'status', status, retryAfter: canAskToWait ? seconds : undefined };
}

function refuseRule(text: string, why?: string): UsageError {
  const rule = JSON.stringify(text);
  if (why !== undefined) return new UsageError(`fault rule ${rule}: ${why}`, { hint: faultGrammar });
  return new UsageError(`${rule} is not a fault rule`, {
    hint: `for example 'GET /quotas=503x2'; ${faultGrammar}`,
  });
}
