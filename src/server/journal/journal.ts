import { randomBytes } from 'node:crypto';
import { EventEmitter, once } from 'node:events';
import { setTimeout } from 'node:timers/promises';
import { journalCapacity } from '../../api/control/control-events.js';
import { redactedHeader, redactedTarget } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import { readPath } from '../../text/base-url.js';
import { parseMoment } from '../../text/duration.js';
import { glob } from '../../text/glob.js';

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
    this.#kept.push({ id: this.#newest, exchange: withoutLongBodies(exchange), explain });
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

/** The fields that log and journal share; `time` is ISO 8601 by the server's clock. */
export interface RequestRecord {
  readonly time: string;
  readonly method: string;
  /** As on the request line; values in the query are masked unless they are known to be harmless. */
  readonly target: string;
  /** `null` if the connection was dropped before a response. */
  readonly status: number | null;
  readonly milliseconds: number;
  readonly keyId?: string | undefined;
  /** The authenticated key's organization. */
  readonly organization?: string | undefined;
  readonly fault?: string | undefined;
  readonly stub?: string | undefined;
}

const keptBodyBytes = 16_384;

interface Message {
  /** Flat: names and values. */
  readonly rawHeaders: readonly string[];
  readonly body?: Buffer | string | undefined;
  /** The length of a body that was not read, or is not kept. */
  readonly unreadBytes?: number | undefined;
}

/** A request and its response, unmasked. */
export interface Exchange extends Omit<RequestRecord, 'time' | 'status'>, Message {
  /** Milliseconds since the epoch. */
  readonly time: number;
  readonly status?: number | undefined;
  /** Absent if the connection was dropped. */
  readonly response?: Message | undefined;
}

/** A response, with credentials and secrets masked. */
export interface JournalResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** The body's length; of an unread body, the announced length or 0. */
  readonly bodyBytes: number;
  /** JSON, or a description of other data; absent for an empty or unread body, and one over 16 KiB. */
  readonly body?: unknown;
}

/** A request, masked like its response. IDs count from 1. */
export interface JournalEntry extends RequestRecord, JournalResponse {
  readonly id: number;
  readonly refusal?: Refusal | undefined;
}

export type Explain = () => Refusal;

/** An entry of the journal, unmasked; with `explain` if it was refused. */
export interface KeptExchange {
  readonly id: number;
  readonly exchange: Exchange;
  readonly explain: Explain | undefined;
}

/** Drops long bodies, and copies short ones, because a chunk would keep a larger buffer. */
function withoutLongBodies({ response, ...exchange }: Exchange): Exchange {
  return { ...exchange, ...keptMessage(exchange), response: response && keptMessage(response) };
}

function keptMessage({ rawHeaders, body = '', unreadBytes }: Message): Message {
  const bytes = unreadBytes ?? Buffer.byteLength(body);
  if (unreadBytes !== undefined || bytes > keptBodyBytes)
    return { rawHeaders, body: undefined, unreadBytes: bytes };
  return { rawHeaders, body: Buffer.isBuffer(body) ? Buffer.from(body) : body };
}

/** Field by field, so that nothing unmasked gets in. */
export function toRecord({ time, method, target, status, ...rest }: Exchange): RequestRecord {
  const { milliseconds, keyId, organization, fault, stub } = rest;
  return {
    ...{ time: new Date(time).toISOString(), method, target: redactedTarget(target) },
    ...{ status: status ?? null, milliseconds, keyId, organization, fault, stub },
  };
}

export function toEntry({ id, exchange, explain }: KeptExchange): JournalEntry {
  const refusal = explain && { refusal: explain() };
  return { id, ...toRecord(exchange), ...toShown(exchange), ...refusal };
}

export function toShown({ rawHeaders, body, unreadBytes = 0 }: Message): JournalResponse {
  const headers = redactedHeaders(rawHeaders);
  if (body === undefined) return { headers, bodyBytes: unreadBytes };
  const bytes = Buffer.from(body);
  const shown = bytes.length === 0 ? undefined : redactedBody(bytes);
  return {
    ...{ headers, bodyBytes: bytes.length },
    ...(shown && { body: 'json' in shown ? JSON.parse(shown.json) : shown.measures }),
  };
}

function redactedHeaders(rawHeaders: readonly string[]): Record<string, string> {
  const headers = new Map<string, string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = (rawHeaders[at] ?? '').toLowerCase();
    const value = redactedHeader(name, rawHeaders[at + 1] ?? '');
    const before = headers.get(name);
    headers.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(headers);
}
