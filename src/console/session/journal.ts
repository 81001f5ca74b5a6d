import { signal } from '@preact/signals';
import { journalStreamPath } from '../../api/control/calls.js';
import type { JournalEntryAnswer } from '../../api/control/control-answers.js';
import {
  journalCapacity,
  journalEvent,
  readEvents,
  type ServerSentEvent,
} from '../../api/control/control-events.js';
import { requestControl } from './server.js';
import { session } from './session.js';

/** Oldest first; `undefined` until the first have been read. */
export const journal = signal<readonly JournalEntryAnswer[] | undefined>(undefined);

/** Milliseconds between attempts to reconnect. */
const reconnectPause = 1000;

export function forgetJournal(): void {
  journal.value = [];
  tallies.value = new Map();
}

/** Follows the journal until the returned function is called. A hidden page disconnects: browsers limit connections. */
export function followJournal(): () => void {
  forgetJournal();
  journal.value = undefined;
  const from = { lastId: '' };
  let reading = new AbortController();
  const adapt = () => {
    reading.abort();
    reading = new AbortController();
    if (!document.hidden) void readJournal(from, reading.signal);
  };
  adapt();
  document.addEventListener('visibilitychange', adapt);
  return () => {
    document.removeEventListener('visibilitychange', adapt);
    reading.abort();
  };
}

/** Reconnects where the last connection ended. */
async function readJournal(from: { lastId: string }, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && session.peek().is === 'open') {
    try {
      const headers = new Headers();
      if (from.lastId !== '') headers.set('last-event-id', from.lastId);
      const { body } = await requestControl(journalStreamPath, { headers, signal });
      for await (const { events, lastId } of readEvents(readChunks(body))) {
        from.lastId = lastId ?? from.lastId;
        take(events);
      }
    } catch {
      // `requestControl` has already reported what the user needs to know.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, reconnectPause));
  }
}

/** For browsers that cannot iterate a `ReadableStream`. */
async function* readChunks(stream: ReadableStream<Uint8Array> | null): AsyncGenerator<Uint8Array> {
  const reader = stream?.getReader();
  for (let piece = await reader?.read(); piece && !piece.done; piece = await reader?.read()) {
    yield piece.value;
  }
}

let waiting: ServerSentEvent[] = [];

/** Shows new requests once per frame, however many there are. */
function take(events: readonly ServerSentEvent[]): void {
  if (waiting.length === 0) {
    requestAnimationFrame(() => {
      const arrived = waiting;
      waiting = [];
      show(arrived);
    });
  }
  waiting.push(...events);
}

function show(events: readonly ServerSentEvent[]): void {
  const entries: JournalEntryAnswer[] = events
    .filter(({ name }) => name === journalEvent.request)
    .map(({ data }) => JSON.parse(data));
  countTraffic(entries);
  journal.value = [...(journal.peek() ?? []), ...entries].slice(-journalCapacity);
}

/** Success, an error of the client, or an error of the service, such as a missing response. */
type Tone = 'good' | 'warn' | 'bad';

export function chooseTone(status: number | null): Tone {
  if (status === null || status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}

/** Requests of one bar by how they ended. */
export type Tally = Record<Tone, number>;

const noTraffic: Tally = { good: 0, warn: 0, bad: 0 };

export const barSeconds = 5;
const barCount = 60;

/** Keyed by the server's time in units of `barSeconds`. */
const tallies = signal<ReadonlyMap<number, Tally>>(new Map());

function countTraffic(entries: readonly JournalEntryAnswer[]): void {
  const counted = new Map([...tallies.peek()].slice(-barCount));
  for (const { time, status } of entries) {
    const bar = toBar(Date.parse(time));
    const tally = counted.get(bar) ?? noTraffic;
    const tone = chooseTone(status);
    counted.set(bar, { ...tally, [tone]: tally[tone] + 1 });
  }
  tallies.value = counted;
}

/** The last five minutes, oldest first. @param time milliseconds since the epoch, by the server's clock */
export function listBars(time: number): readonly Tally[] {
  const oldest = toBar(time) - barCount + 1;
  return Array.from({ length: barCount }, (_, at) => tallies.value.get(oldest + at) ?? noTraffic);
}

function toBar(time: number): number {
  return Math.floor(time / (barSeconds * 1000));
}
