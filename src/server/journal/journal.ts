import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { journalCapacity } from '../../api/control/control-events.js';
import { readPath } from '../../text/base-url.js';
import { parseMoment } from '../../text/duration.js';
import { glob } from '../../text/glob.js';
import {
  type Exchange,
  type Explain,
  type JournalEntry,
  type KeptExchange,
  keptExchange,
  toEntry,
} from './entry.js';

/** Each entry has two bodies of up to 16 KiB. */
const entriesPerBatch = 20;

/** Milliseconds from a new entry until readers wake. */
const gathering = 20;

/** Milliseconds until readers get an empty batch: otherwise an idle server would look dead. */
const keepAliveInterval = 15_000;

/** The last 1,000 requests. Masks secrets only when entries are read: most never are. */
export class Journal {
  /** Distinguishes the IDs of entries from those of other runs. */
  readonly name = randomBytes(6).toString('hex');
  readonly #clock: () => number;
  readonly #events = new EventEmitter().setMaxListeners(0);
  /** Oldest first. */
  #kept: KeptExchange[] = [];
  #newest = 0;
  #refused = 0;

  constructor(clock: () => number = Date.now) {
    this.#clock = clock;
  }

  /** Adds a request; `explain` marks it as refused. */
  add(exchange: Exchange, explain?: Explain): void {
    this.#newest += 1;
    if (explain !== undefined) this.#refused += 1;
    this.#kept.push({ id: this.#newest, exchange: keptExchange(exchange), explain });
    if (this.#kept.length > journalCapacity) this.#kept.shift();
    this.#events.emit('added');
  }

  get counts() {
    return { total: this.#newest, refused: this.#refused, kept: this.#kept.length };
  }

  entries(query: JournalQuery = {}): JournalEntry[] {
    return this.#matching(query).map(toEntry);
  }

  find(id: number): KeptExchange | undefined {
    return this.#kept.find((kept) => kept.id === id);
  }

  /** The newest request with this header, spelled like this. */
  findByHeader(name: string, value: string): KeptExchange | undefined {
    return this.#kept.findLast(
      ({ exchange: { rawHeaders } }) => rawHeaders[rawHeaders.indexOf(name) + 1] === value,
    );
  }

  count(filter: JournalFilter = {}): number {
    return this.#matching(filter).length;
  }

  /** The ID before the newest `limit` matching entries. */
  before(query: JournalQuery = {}): number {
    const [oldest] = this.#matching(query);
    return oldest === undefined ? this.#newest : oldest.id - 1;
  }

  /**
   * Yields entries after an ID, then new ones, until aborted. A batch has matching entries, the `last` ID covered, and
   * how many requests before it a slow reader `missed`.
   */
  async *follow(filter: JournalFilter, after: number, signal: AbortSignal) {
    let last = after;
    for (;;) {
      const oldest = this.#newest - this.#kept.length;
      const missed = Math.max(0, oldest - last);
      const start = last + missed;
      const next = this.#kept.slice(start - oldest, start - oldest + entriesPerBatch);
      const isNew = start + next.length > last;
      last = start + next.length;
      const entries = next.filter(wantedBy(filter, this.#clock())).map(toEntry);
      if (isNew) yield { entries, missed, last };
      else if (signal.aborted) return;
      else if (!(await this.#grown(signal))) yield { entries, missed, last };
    }
  }

  clear(): void {
    this.#kept = [];
  }

  /** Waits for an entry; `false` if none came. */
  async #grown(signal: AbortSignal): Promise<boolean> {
    const silence = AbortSignal.timeout(keepAliveInterval);
    try {
      await once(this.#events, 'added', { signal: AbortSignal.any([signal, silence]) });
      await setTimeout(gathering, undefined, { signal, ref: false });
      return true;
    } catch {
      return signal.aborted;
    }
  }

  #matching({ limit = journalCapacity, ...filter }: JournalQuery): KeptExchange[] {
    const matching = this.#kept.filter(wantedBy(filter, this.#clock()));
    return limit === 0 ? [] : matching.slice(-limit);
  }
}

export interface JournalQuery extends JournalFilter {
  readonly limit?: number | undefined;
}

/** All given conditions must hold. */
export interface JournalFilter {
  readonly key?: string | undefined;
  readonly method?: string | undefined;
  /** Without the query; `*` matches any characters. */
  readonly path?: string | undefined;
  /** A status such as `404`, or a class such as `4xx`. */
  readonly status?: number | string | undefined;
  readonly refused?: boolean | undefined;
  /** ISO 8601, or an age such as `10m`, by the server's clock. */
  readonly since?: string | undefined;
}

function wantedBy(
  { key, method, path, status, refused, since }: JournalFilter,
  now: number,
): (kept: KeptExchange) => boolean {
  const earliest = since === undefined ? undefined : (parseMoment(since, now) ?? Number.NaN);
  const isPath = path === undefined ? undefined : glob(path);
  const digits = status === undefined ? undefined : String(status).replace('xx', '');
  return ({ exchange, explain }) =>
    (key === undefined || exchange.keyId === key) &&
    (method === undefined || exchange.method === method) &&
    (earliest === undefined || exchange.time >= earliest) &&
    (refused === undefined || (explain !== undefined) === refused) &&
    (digits === undefined || String(exchange.status ?? '').startsWith(digits)) &&
    (isPath === undefined || isPath(readPath(exchange.target)));
}
