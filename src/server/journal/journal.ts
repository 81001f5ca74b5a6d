import { randomBytes } from 'node:crypto';
import { type JournalFilter, wantedBy } from './journal-filter.js';
import { type Exchange, type Explain, type JournalEntry, KeptExchange } from './kept-exchange.js';

/** Requests that are kept (contract, section 5). */
const capacity = 1000;

/** Requests that a reader takes at once: with their bodies some 500 KB at most. */
const batchSize = 20;

/** Milliseconds for which news of further requests are gathered: a reader is woken 50 times a second at most. */
const gathering = 20;

/** The last 1,000 requests. They are kept as they came and redacted when they are read: most are never read. */
export class Journal {
  /** Tells this journal's numbers from those of another start. */
  readonly name = randomBytes(6).toString('hex');
  #kept: KeptExchange[] = [];
  /** Where the next one goes once all places are taken: the oldest. */
  #next = 0;
  /** The ID of the newest; those that are kept are the ones up to it, without a gap. */
  #newest = 0;
  #refused = 0;
  #waiting: (() => void)[] = [];

  /** Keeps an exchange; with `explain` it was refused. */
  add(exchange: Exchange, explain?: Explain): void {
    const place = this.#kept[this.#next];
    this.#newest += 1;
    if (explain !== undefined) this.#refused += 1;
    if (place === undefined) this.#kept.push(new KeptExchange(exchange, explain, this.#newest));
    else place.replace(exchange, explain, this.#newest);
    this.#next = (this.#next + 1) % capacity;
    if (this.#waiting.length > 0) this.#wake(this.#waiting.splice(0));
  }

  /** How many there were since the start, how many of them were refused, and how many are kept. */
  get counts(): JournalCounts {
    return { total: this.#newest, refused: this.#refused, kept: this.#kept.length };
  }

  /** The newest `limit` entries of those asked for, oldest first. */
  entries({ limit = capacity, ...filter }: JournalQuery = {}): JournalEntry[] {
    const wanted = this.#matching(filter);
    return wanted.slice(Math.max(0, wanted.length - limit)).map((kept) => kept.toEntry());
  }

  /** One of those that are kept. */
  find(id: number): KeptExchange | undefined {
    return this.#inOrder().find((kept) => kept.id === id);
  }

  /** How many of those that are kept are asked for. */
  count(filter: JournalFilter = {}): number {
    return this.#matching(filter).length;
  }

  /** The ID after which the newest `limit` of those asked for come. */
  before({ limit = capacity, ...filter }: JournalQuery = {}): number {
    if (limit === 0) return this.#newest;
    const wanted = this.#matching(filter);
    const oldest = wanted[Math.max(0, wanted.length - limit)];
    return oldest === undefined ? this.#newest : oldest.id - 1;
  }

  /** Of the next `size` requests after an ID those asked for, and how many between are kept no more. */
  after(id: number, filter: JournalFilter, size: number): JournalBatch {
    const oldest = this.#newest - this.#kept.length;
    const start = Math.max(id, oldest);
    const next = this.#inOrder().slice(start - oldest, start - oldest + size);
    const isWanted = wantedBy(filter);
    return {
      entries: next.filter(isWanted).map((kept) => kept.toEntry()),
      missed: start - id,
      last: start + next.length,
    };
  }

  /**
   * The newest `limit` of those asked for, and then each further one, in batches. A reader that is slower than the
   * requests is told how many it missed: nothing waits in memory for it. Ends when the signal is aborted.
   */
  async *follow({ limit, after, signal, quiet, ...filter }: FollowOptions): AsyncGenerator<JournalBatch> {
    let last = after ?? this.before({ limit, ...filter });
    for (;;) {
      const batch = this.after(last, filter, batchSize);
      if (batch.last > last) yield batch;
      else if (signal.aborted) return;
      else if (!(await this.#grown(signal, quiet))) yield batch;
      last = batch.last;
    }
  }

  clear(): void {
    this.#kept = [];
    this.#next = 0;
  }

  /** Whether, before so many milliseconds were over, a request came or the signal was aborted. */
  #grown(signal: AbortSignal, milliseconds: number | undefined): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (grew: boolean) => {
        clearTimeout(timer);
        signal.removeEventListener('abort', grown);
        this.#waiting = this.#waiting.filter((waiting) => waiting !== grown);
        resolve(grew);
      };
      const grown = () => end(true);
      const timer = milliseconds === undefined ? undefined : setTimeout(() => end(false), milliseconds);
      signal.addEventListener('abort', grown, { once: true });
      this.#waiting.push(grown);
    });
  }

  #wake(waiting: readonly (() => void)[]): void {
    setTimeout(() => {
      for (const grown of waiting) grown();
    }, gathering).unref();
  }

  #matching(filter: JournalFilter): KeptExchange[] {
    return this.#inOrder().filter(wantedBy(filter));
  }

  #inOrder(): KeptExchange[] {
    const isFull = this.#kept.length === capacity;
    return isFull ? [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)] : this.#kept;
  }
}

/** How many requests there were since the start, and how many the journal keeps. */
export interface JournalCounts {
  readonly total: number;
  readonly refused: number;
  readonly kept: number;
}

/** Requests that came one after the other. */
export interface JournalBatch {
  /** Those asked for. */
  readonly entries: readonly JournalEntry[];
  /** How many came before them that the reader was too late for. */
  readonly missed: number;
  /** The ID of the last one, be it asked for or not. */
  readonly last: number;
}

/** Which entries are wanted. */
export interface JournalQuery extends JournalFilter {
  /** How many at most, the newest; default all. */
  readonly limit?: number | undefined;
}

/** Which entries a reader follows. */
export interface FollowOptions extends JournalQuery {
  /** The ID of the last one it has; instead of `limit`. */
  readonly after?: number | undefined;
  /** Milliseconds after which an empty batch says that there was nothing; default never. */
  readonly quiet?: number | undefined;
  /** Ends it, once it has read what was there. */
  readonly signal: AbortSignal;
}
