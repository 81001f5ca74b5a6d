import { createHash } from 'node:crypto';
import { readPath } from '../../text/base-url.js';
import { type FaultEffect, type FaultRule, parseFaultRule } from './fault-rule.js';

export interface FaultState {
  readonly rule: string;
  readonly hits: number;
  /** How many more requests the rule can hit; absent without a limit. */
  readonly remaining?: number;
}

/** The combined effects of the rules that hit a request. */
export interface Fault {
  readonly rule: string;
  readonly delay: number;
  readonly effect?: Exclude<FaultEffect, { kind: 'delay' }> | undefined;
}

interface ActiveRule extends FaultRule {
  /** Number of requests that the rule could hit; with the seed, it determines the next random number. */
  matches: number;
  hits: number;
}

/** Applies rules in order. Delays add up; the first effect other than a delay ends the search. */
export class Faults {
  readonly #atStart: readonly string[];
  readonly #isCovered: (target: string) => boolean;
  #rules: ActiveRule[] = [];

  /** @param isCovered whether rules apply to a target at all @throws UsageError for an invalid rule */
  constructor(rules: readonly string[] = [], isCovered = (_target: string) => true) {
    this.#atStart = rules;
    this.#isCovered = isCovered;
    this.set(rules);
  }

  get(): FaultState[] {
    return this.#rules.map(({ text, hits, times }) => ({
      rule: text,
      hits,
      ...(times !== undefined && { remaining: times - hits }),
    }));
  }

  /** Replaces all rules, or none if one is invalid. @throws UsageError for an invalid rule */
  set(rules: readonly string[]): void {
    this.#rules = rules.map((text) => ({ ...parseFaultRule(text), matches: 0, hits: 0 }));
  }

  reset(): void {
    this.set(this.#atStart);
  }

  next(method: string, target: string): Fault | undefined {
    if (this.#rules.length === 0 || !this.#isCovered(target)) return undefined;
    const path = readPath(target);
    const texts: string[] = [];
    let delay = 0;
    for (const rule of this.#rules) {
      if (!hits(rule, method, path)) continue;
      texts.push(rule.text);
      if (rule.effect.kind !== 'delay') return { rule: texts.join('; '), delay, effect: rule.effect };
      delay += chooseDelay(rule, rule.effect);
    }
    return texts.length === 0 ? undefined : { rule: texts.join('; '), delay };
  }
}

function hits(rule: ActiveRule, method: string, path: string): boolean {
  if (rule.method !== '*' && rule.method !== method) return false;
  if (!rule.path(path)) return false;
  if (rule.times !== undefined && rule.hits >= rule.times) return false;
  rule.matches += 1;
  if (rule.probability < 1 && chance(rule.seed, rule.matches) >= rule.probability) return false;
  rule.hits += 1;
  return true;
}

/** A delay between the bounds; the same seed repeats it. */
function chooseDelay(
  { seed, hits: turn }: ActiveRule,
  { least, most }: { least: number; most: number },
): number {
  return least === most ? least : Math.round(least + chance(seed, turn) * (most - least));
}

/** Pseudo-random, from 0 to less than 1. */
function chance(seed: number, turn: number): number {
  return createHash('sha256').update(`${seed} ${turn}`).digest().readUInt32BE(0) / 2 ** 32;
}
