import { randomBytes } from 'node:crypto';
import { journalCapacity } from '../../api/control/control-events.js';
import { type JournalFilter, wantedBy } from './journal-filter.js';
import { type Exchange, type Explain, type JournalEntry, KeptExchange } from './kept-exchange.js';

/** The most requests in one batch: with their bodies at most some 500 KB. */
const entriesPerBatch = 20;

/** Milliseconds for which new requests are gathered: a reader is woken at most 50 times a second. */
const gathering = 20;

/** The last 1,000 requests, stored raw and redacted when they are read: most never are. */
export class Journal {
  /** Distinguishes this journal's IDs from those of another start. */
  readonly name = randomBytes(6).toString('hex');
  #kept: KeptExchange[] = [];
  /** The oldest entry, which the next one replaces when the journal is full. */
  #next = 0;
  /** The ID of the newest; the kept ones are consecutive up to it. */
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
    this.#next = (this.#next + 1) % journalCapacity;
    if (this.#waiting.length > 0) this.#wake(this.#waiting.splice(0));
  }

  /** How many there were since the start, how many of them were refused, and how many are kept. */
  get counts(): JournalCounts {
    return { total: this.#newest, refused: this.#refused, kept: this.#kept.length };
  }

  /** The newest `limit` matching entries, oldest first. */
  entries({ limit = journalCapacity, ...filter }: JournalQuery = {}): JournalEntry[] {
    const wanted = this.#matching(filter);
    return wanted.slice(Math.max(0, wanted.length - limit)).map((kept) => kept.toEntry());
  }

  find(id: number): KeptExchange | undefined {
    return this.#inOrder().find((kept) => kept.id === id);
  }

  count(filter: JournalFilter = {}): number {
    return this.#matching(filter).length;
  }

  /** The ID after which the newest `limit` matching entries come. */
  before({ limit = journalCapacity, ...filter }: JournalQuery = {}): number {
    if (limit === 0) return this.#newest;
    const wanted = this.#matching(filter);
    const oldest = wanted[Math.max(0, wanted.length - limit)];
    return oldest === undefined ? this.#newest : oldest.id - 1;
  }

  /** The matching ones of the next `size` requests after an ID, and how many between are no longer kept. */
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
   * The newest `limit` matching entries, then each further one, in batches. A slow reader learns how many it missed:
   * nothing is buffered for it. Ends when the signal is aborted.
   */
  async *follow({ limit, after, signal, quiet, ...filter }: FollowOptions): AsyncGenerator<JournalBatch> {
    let last = after ?? this.before({ limit, ...filter });
    for (;;) {
      const batch = this.after(last, filter, entriesPerBatch);
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

  /** Whether a request came or the signal was aborted within this many milliseconds. */
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
    const isFull = this.#kept.length === journalCapacity;
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
  /** How many the reader missed before these. */
  readonly missed: number;
  /** The ID of the last one, whether it matches or not. */
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
