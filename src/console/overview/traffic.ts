import { signal } from '@preact/signals';
import type { JournalEntryAnswer } from '../../api/control/control-answers.js';
import { chooseTone, type Tone } from '../requests/tone.js';

/** Seconds that the bars cover together. */
const trafficSpan = 300;
export const barSeconds = 5;

const shownRefusals = 5;

export type Tally = Record<Tone, number>;

/** Counts requests of the last five minutes (server time) per bar and per key. Keeps the newest refusals. */
export class Traffic {
  readonly #bars = new Map<number, Tally>();
  readonly #keys = new Map<string, Map<number, number>>();
  #refusals: readonly JournalEntryAnswer[] = [];
  /** Methods that return data read this signal, because a component is redrawn only for signals that it has read. */
  readonly #version = signal(0);

  take({ entries }: { readonly entries: readonly JournalEntryAnswer[] }): void {
    for (const entry of entries) this.#count(entry);
    const refused = entries.filter(({ refusal }) => refusal !== undefined);
    this.#refusals = [...this.#refusals, ...refused].slice(-shownRefusals);
    this.#version.value += 1;
  }

  #count({ time, status, keyId }: JournalEntryAnswer): void {
    const bar = toBar(Date.parse(time));
    const tally = this.#bars.get(bar) ?? { good: 0, warn: 0, bad: 0 };
    tally[chooseTone(status)] += 1;
    this.#bars.set(bar, tally);
    if (keyId === undefined) return;
    const ofKey = this.#keys.get(keyId) ?? new Map<number, number>();
    ofKey.set(bar, (ofKey.get(bar) ?? 0) + 1);
    this.#keys.set(keyId, ofKey);
  }

  /** Oldest first. @param now milliseconds since the epoch, by the server's clock */
  bars(now: number): readonly Tally[] {
    this.#version.value;
    const newest = toBar(now);
    const count = trafficSpan / barSeconds;
    for (const bar of this.#bars.keys()) if (bar <= newest - count) this.#bars.delete(bar);
    return Array.from(
      { length: count },
      (_, at) => this.#bars.get(newest - count + 1 + at) ?? { good: 0, warn: 0, bad: 0 },
    );
  }

  keys(now: number): readonly (readonly [keyId: string, requests: number])[] {
    this.#version.value;
    const newest = toBar(now);
    return [...this.#keys]
      .map(([keyId, bars]) => [keyId, sumUpTo(bars, newest)] as const)
      .filter(([, requests]) => requests > 0)
      .toSorted(([, one], [, other]) => other - one);
  }

  get refusals(): readonly JournalEntryAnswer[] {
    this.#version.value;
    return this.#refusals.toReversed();
  }
}

function toBar(time: number): number {
  return Math.floor(time / (barSeconds * 1000));
}

/** Ignores later bars, which were counted before the clock was set back. */
function sumUpTo(bars: Map<number, number>, newest: number): number {
  let sum = 0;
  for (const [bar, requests] of bars) {
    if (bar <= newest - trafficSpan / barSeconds) bars.delete(bar);
    else if (bar <= newest) sum += requests;
  }
  return sum;
}
