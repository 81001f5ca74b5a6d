import { journalStreamPath } from '../../api/control/calls.js';
import type { JournalEntryAnswer } from '../../api/control/control-answers.js';
import { journalEvent, readEvents } from '../../api/control/control-events.js';
import { fetchAuthorized, isReachable, readRefusal, toPath } from './api.js';
import { session } from './session.js';

export interface News {
  readonly entries: readonly JournalEntryAnswer[];
  /** How many further requests arrived too fast for this reader. */
  readonly missed: number;
  /** The ID of the newest request, whether or not it matches the query. */
  readonly last: number;
}

/** Milliseconds between attempts to reconnect. */
const reconnectPause = 1000;

/** Reports at most once per frame. A hidden page keeps no connection: browsers open only a few to a server. */
export function subscribeToJournal(
  query: Readonly<Record<string, string | undefined>>,
  take: (news: News) => void,
) {
  const following = new JournalSubscription(query, take);
  following.adapt();
  const adapt = () => following.adapt();
  document.addEventListener('visibilitychange', adapt);
  return () => {
    document.removeEventListener('visibilitychange', adapt);
    following.stop();
  };
}

class JournalSubscription {
  readonly #path: string;
  readonly #take: (news: News) => void;
  #reading: AbortController | undefined;
  #lastId: string | undefined;
  #entries: JournalEntryAnswer[] = [];
  #missed = 0;
  #frame = 0;

  constructor(query: Readonly<Record<string, string | undefined>>, take: (news: News) => void) {
    this.#path = toPath(journalStreamPath, query);
    this.#take = take;
  }

  adapt(): void {
    if (document.hidden) this.stop();
    else if (this.#reading === undefined) {
      this.#reading = new AbortController();
      void this.#read(this.#reading.signal);
    }
  }

  stop(): void {
    this.#reading?.abort();
    this.#reading = undefined;
  }

  async #read(signal: AbortSignal): Promise<void> {
    while (!signal.aborted && session.peek().is === 'open') {
      try {
        await this.#readOnce(signal);
      } catch {
        if (!signal.aborted) isReachable.value = false;
      }
      if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, reconnectPause));
    }
  }

  async #readOnce(signal: AbortSignal): Promise<void> {
    const headers = new Headers();
    if (this.#lastId !== undefined) headers.set('last-event-id', this.#lastId);
    const answer = await fetchAuthorized(this.#path, headers, { signal });
    isReachable.value = true;
    if (!answer.ok || answer.body === null) throw await readRefusal(answer);
    for await (const { events, lastId } of readEvents(readChunks(answer.body))) {
      this.#lastId = lastId ?? this.#lastId;
      for (const { name, data } of events) {
        if (name === journalEvent.request) this.#entries.push(JSON.parse(data));
        else if (name === journalEvent.missed) this.#missed += JSON.parse(data).count;
      }
      this.#frame ||= requestAnimationFrame(() => this.#flush());
    }
  }

  #flush(): void {
    this.#frame = 0;
    const last = Number(this.#lastId?.split('-')[1]);
    const news = { entries: this.#entries, missed: this.#missed, last };
    this.#entries = [];
    this.#missed = 0;
    this.#take(news);
  }
}

/** For browsers that cannot iterate a `ReadableStream`. */
async function* readChunks(stream: ReadableStream<Uint8Array>): AsyncGenerator<Uint8Array> {
  const reader = stream.getReader();
  try {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) yield piece.value;
  } finally {
    reader.releaseLock();
  }
}
