import { signal } from '@preact/signals';
import type { JournalEntryAnswer } from '../../api/control/control-answers.js';

/** Success, an error of the client, or an error of the service, such as a missing response. */
type Tone = 'good' | 'warn' | 'bad';

export function chooseTone(status: number | null): Tone {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

/** Requests of one bar by how they ended. */
export type Tally = Record<Tone, number>;

export const barSeconds = 5;
const barCount = 60;

/** By the server's time in units of `barSeconds`. */
const tallies = new Map<number, Tally>();

/** Redraws whoever has read `listBars`: signals do not see changes of a map. */
const version = signal(0);

export function countTraffic(entries: readonly JournalEntryAnswer[]): void {
  for (const { time, status } of entries) {
    const bar = toBar(Date.parse(time));
    const tally = tallies.get(bar) ?? { good: 0, warn: 0, bad: 0 };
    tally[chooseTone(status)] += 1;
    tallies.set(bar, tally);
  }
  version.value += 1;
}

export function forgetTraffic(): void {
  tallies.clear();
  version.value += 1;
}

/** The last five minutes, oldest first. @param time milliseconds since the epoch, by the server's clock */
export function listBars(time: number): readonly Tally[] {
  version.value;
  const oldest = toBar(time) - barCount + 1;
  for (const bar of tallies.keys()) if (bar < oldest) tallies.delete(bar);
  return Array.from(
    { length: barCount },
    (_, at) => tallies.get(oldest + at) ?? { good: 0, warn: 0, bad: 0 },
  );
}

function toBar(time: number): number {
  return Math.floor(time / (barSeconds * 1000));
}
