import { signal } from '@preact/signals';
import { journalStreamPath } from '../../api/control/calls.js';
import type { JournalEntryAnswer } from '../../api/control/control-answers.js';
import {
  journalCapacity,
  journalEvent,
  readEvents,
  type ServerSentEvent,
} from '../../api/control/control-events.js';
import { requestControl } from './control.js';
import { session } from './session.js';
import { countTraffic, forgetTraffic } from './traffic.js';

/** The requests that the server stores, oldest first; `undefined` until the first have been read. */
export const journal = signal<readonly JournalEntryAnswer[] | undefined>(undefined);

/** How many requests arrived too fast for this page. */
export const missed = signal(0);

/** Milliseconds between attempts to reconnect. */
const reconnectPause = 1000;

export function forgetJournal(): void {
  journal.value = [];
  missed.value = 0;
  forgetTraffic();
}

/**
 * Follows the server's requests until the returned function is called. A hidden page keeps no connection: browsers open
 * only a few to a server.
 */
export function followJournal(): () => void {
  forgetJournal();
  journal.value = undefined;
  let reading: AbortController | undefined;
  const from = { lastId: '' };
  const follow = (isFollowed: boolean) => {
    if (isFollowed === (reading !== undefined)) return;
    reading?.abort();
    reading = isFollowed ? new AbortController() : undefined;
    if (reading !== undefined) void readJournal(from, reading.signal);
  };
  const adapt = () => follow(!document.hidden);
  adapt();
  document.addEventListener('visibilitychange', adapt);
  return () => {
    document.removeEventListener('visibilitychange', adapt);
    follow(false);
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
  const entries: JournalEntryAnswer[] = [];
  for (const { name, data } of events) {
    if (name === journalEvent.request) entries.push(JSON.parse(data));
    else if (name === journalEvent.missed) missed.value += JSON.parse(data).count;
  }
  countTraffic(entries);
  journal.value = [...(journal.peek() ?? []), ...entries].slice(-journalCapacity);
}
