import { redactedHeader, redactedTarget } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { Refusal } from '../explain/refusal.js';
import type { RequestRecord } from './log.js';

/** Requests that are kept (contract, section 5). */
const capacity = 1000;

/** Bytes of a body that are kept; of a longer one only its length. */
const keptBodyBytes = 16_384;

/** A request and its answer, as they were: nothing is masked. */
export interface Exchange extends Omit<RequestRecord, 'time' | 'status'> {
  /** Milliseconds since the epoch, by the server's clock. */
  readonly time: number;
  /** Absent when the connection was cut before anything was done. */
  readonly status?: number | undefined;
  /** Name and value by turns, as Node has them. */
  readonly rawHeaders: readonly string[];
  /** As received; `undefined` when it was not read, or not to its end. */
  readonly body?: Buffer | undefined;
}

/** A request and its answer, fit to be shown: secrets, passwords, credentials and signatures are masked. */
export interface JournalEntry extends RequestRecord {
  /** Names in lower case; the values of a name that occurs twice are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the body, in bytes. */
  readonly bodyBytes: number;
  /** The JSON value, or words for what is none; absent without a body, and with one over 16 KiB. */
  readonly body?: unknown;
  /** Why it was refused; absent when it was not. */
  readonly refusal?: Refusal | undefined;
}

/** Says why a request was refused: the same each time, and only the first time it takes work. */
export type Explain = () => Refusal;

/** The last 1,000 requests. They are kept as they came and redacted when they are read: most are never read. */
export class Journal {
  #kept: KeptExchange[] = [];
  /** Where the next one goes once all places are taken: the oldest. */
  #next = 0;

  /** Keeps an exchange; with `explain` it was refused. */
  add(exchange: Exchange, explain?: Explain): void {
    const place = this.#kept[this.#next];
    if (place === undefined) this.#kept.push(new KeptExchange(exchange, explain));
    else place.replace(exchange, explain);
    this.#next = (this.#next + 1) % capacity;
  }

  /** The newest `limit` entries of those asked for, oldest first. */
  entries({ limit = capacity, refused }: JournalQuery = {}): JournalEntry[] {
    const isFull = this.#kept.length === capacity;
    const inOrder = isFull
      ? [...this.#kept.slice(this.#next), ...this.#kept.slice(0, this.#next)]
      : this.#kept;
    const wanted = refused === undefined ? inOrder : inOrder.filter((kept) => kept.isRefused === refused);
    return wanted.slice(Math.max(0, wanted.length - limit)).map((kept) => kept.toEntry());
  }

  clear(): void {
    this.#kept = [];
    this.#next = 0;
  }
}

/** Which entries are wanted. */
export interface JournalQuery {
  /** How many at most; default all. */
  readonly limit?: number | undefined;
  /** Only the refused, or only the others. */
  readonly refused?: boolean | undefined;
}

/** Bytes that target and headers have room in from the start; for longer ones it is made when they come. */
const usualBytes = 1024;

/**
 * A place in the journal. It is written over in its turn, and keeps text as bytes, which are outside V8's heap: what
 * each request left there was copied twice by the garbage collector, and 4 to 12 MB were taken for that.
 */
class KeptExchange {
  /** The target and then the headers' names and values, a line each, in Latin-1: Node reads them as that. */
  #text = Buffer.allocUnsafe(usualBytes);
  #length = 0;
  #time = 0;
  #milliseconds = 0;
  #method = '';
  #status: number | undefined;
  #body: Buffer | undefined;
  #bodyBytes = 0;
  #keyId: string | undefined;
  #organization: string | undefined;
  #fault: string | undefined;
  #explain: Explain | undefined;

  constructor(exchange: Exchange, explain: Explain | undefined) {
    this.replace(exchange, explain);
  }

  get isRefused(): boolean {
    return this.#explain !== undefined;
  }

  replace(exchange: Exchange, explain: Explain | undefined): void {
    const { body } = exchange;
    this.#write(`${exchange.target}\n${exchange.rawHeaders.join('\n')}`);
    this.#time = exchange.time;
    this.#milliseconds = exchange.milliseconds;
    this.#method = exchange.method;
    this.#status = exchange.status;
    this.#bodyBytes = body?.byteLength ?? 0;
    this.#body = this.#bodyBytes === 0 || this.#bodyBytes > keptBodyBytes ? undefined : body;
    this.#keyId = exchange.keyId;
    this.#organization = exchange.organization;
    this.#fault = exchange.fault;
    this.#explain = explain;
  }

  toEntry(): JournalEntry {
    const [target = '', ...head] = this.#text.toString('latin1', 0, this.#length).split('\n');
    return {
      time: new Date(this.#time).toISOString(),
      method: this.#method,
      target: redactedTarget(target),
      status: this.#status ?? null,
      milliseconds: this.#milliseconds,
      keyId: this.#keyId,
      organization: this.#organization,
      fault: this.#fault,
      headers: redactedHeaders(head),
      bodyBytes: this.#bodyBytes,
      ...(this.#body !== undefined && { body: shownBody(this.#body) }),
      ...(this.#explain && { refusal: this.#explain() }),
    };
  }

  #write(text: string): void {
    const isLong = text.length > usualBytes;
    if (isLong || this.#text.length > usualBytes) {
      this.#text = Buffer.allocUnsafe(isLong ? text.length : usualBytes);
    }
    this.#length = this.#text.write(text, 'latin1');
  }
}

/** The headers of a request, name and value by turns, as they may be shown. */
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

/** A body as it may be shown: the JSON value, or words for what is none. */
function shownBody(body: Buffer): unknown {
  const shown = redactedBody(body);
  return 'json' in shown ? JSON.parse(shown.json) : shown.measures;
}
