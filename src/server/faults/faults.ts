import { createHash } from 'node:crypto';
import { isServiceTarget, pathOf } from '../pipeline/url-space.js';
import { type FaultEffect, type FaultRule, parseFaultRule } from './fault-rule.js';

/** A rule, and how often it has hit so far. */
export interface FaultState {
  /** As it was written. */
  readonly rule: string;
  /** How many requests it hit. */
  readonly hits: number;
  /** How many it will still hit at most; absent when there is no limit. */
  readonly remaining?: number;
}

/** What is to happen to one request. */
export interface Fault {
  /** The rules that hit it, as they were written. */
  readonly rule: string;
  /** Milliseconds that it is held up first. */
  readonly delay: number;
  readonly effect?: Exclude<FaultEffect, { kind: 'delay' }> | undefined;
}

interface ActiveRule extends FaultRule {
  /** How many requests it matched; the chances are drawn by this count. */
  matches: number;
  hits: number;
}

/**
 * The rules by which requests go wrong. They are asked in their order: delays add up, and the first other effect that
 * hits is the last rule asked.
 */
export class Faults {
  readonly #atStart: readonly string[];
  #rules: ActiveRule[] = [];

  /** @throws UsageError for a rule that cannot be read. */
  constructor(rules: readonly string[] = []) {
    this.#atStart = rules;
    this.set(rules);
  }

  get(): FaultState[] {
    return this.#rules.map(({ text, hits, times }) => ({
      rule: text,
      hits,
      ...(times !== undefined && { remaining: times - hits }),
    }));
  }

  /**
   * Puts other rules in place of those that are there, all of them or none.
   * @throws UsageError for a rule that cannot be read.
   */
  set(rules: readonly string[]): void {
    this.#rules = rules.map((text) => ({ ...parseFaultRule(text), matches: 0, hits: 0 }));
  }

  clear(): void {
    this.#rules = [];
  }

  /** Back to the rules at the start, none of which has hit anything yet. */
  reset(): void {
    this.set(this.#atStart);
  }

  /** What is to happen to the next request; `undefined` when no rule hits it, or it is not for the service. */
  next(method: string, target: string): Fault | undefined {
    if (this.#rules.length === 0 || !isServiceTarget(target)) return undefined;
    const path = pathOf(target);
    const texts: string[] = [];
    let delay = 0;
    for (const rule of this.#rules) {
      if (!hits(rule, method, path)) continue;
      texts.push(rule.text);
      if (rule.effect.kind !== 'delay') return { rule: texts.join('; '), delay, effect: rule.effect };
      delay += rule.effect.milliseconds;
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

/** A number from 0 up to 1 that looks random, and is the same for the same seed and turn. */
function chance(seed: number, turn: number): number {
  return createHash('sha256').update(`${seed} ${turn}`).digest().readUInt32BE(0) / 2 ** 32;
}
