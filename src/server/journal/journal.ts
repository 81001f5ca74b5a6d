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
  toEntry,
  withoutLongBodies,
} from './kept-exchange.js';

/** Bounds the size of a batch: each entry has headers and up to 16 KiB of body. */
const entriesPerBatch = 20;

/** Milliseconds from a new entry until readers wake: at most 50 times a second. */
const gathering = 20;

/** The last 1,000 requests. Masks them when they are read, because most never are. */
export class Journal {
  /** Distinguishes this journal's IDs from those of another start of the server. */
  readonly name = randomBytes(6).toString('hex');
  readonly #clock: () => number;
  readonly #events = new EventEmitter().setMaxListeners(0);
  /** The oldest first. */
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
    this.#kept.push({ id: this.#newest, exchange: withoutLongBodies(exchange), explain });
    if (this.#kept.length > journalCapacity) this.#kept.shift();
    this.#events.emit('added');
  }

  /** Since the start; `kept` counts those still stored. */
  get counts() {
    return { total: this.#newest, refused: this.#refused, kept: this.#kept.length };
  }

  entries(query: JournalQuery = {}): JournalEntry[] {
    return this.#matching(query).map(toEntry);
  }

  find(id: number): KeptExchange | undefined {
    return this.#kept.find((kept) => kept.id === id);
  }

  /** The newest request with this header; `name` must be spelled as the client sent it. */
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

  /** Existing entries, then new ones, until aborted. Does not buffer for slow readers, but counts what they miss. */
  async *follow({ limit, after, signal, quiet, ...filter }: FollowOptions): AsyncGenerator<JournalBatch> {
    let last = after ?? this.before({ limit, ...filter });
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
      else if (!(await this.#grown(signal, quiet))) yield { entries, missed, last };
    }
  }

  clear(): void {
    this.#kept = [];
  }

  /** Whether a request was added, or the stream is to end; `false` after silence. */
  async #grown(signal: AbortSignal, milliseconds: number | undefined): Promise<boolean> {
    const silence = milliseconds === undefined ? [] : [AbortSignal.timeout(milliseconds)];
    try {
      await once(this.#events, 'added', { signal: AbortSignal.any([signal, ...silence]) });
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

/** Matching entries; how many requests before them were `missed`; and the `last` ID that the batch covers. */
export interface JournalBatch {
  readonly entries: readonly JournalEntry[];
  readonly missed: number;
  readonly last: number;
}

export interface JournalQuery extends JournalFilter {
  readonly limit?: number | undefined;
}

interface FollowOptions extends JournalQuery {
  /** The last ID that the reader has; replaces `limit`. */
  readonly after?: number | undefined;
  /** Milliseconds without a new request until an empty batch reports silence; default: never. */
  readonly quiet?: number | undefined;
  /** When aborted, ends the stream after existing entries. */
  readonly signal: AbortSignal;
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

/** @param now milliseconds since the epoch, by the server's clock */
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
