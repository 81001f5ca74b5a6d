import { redactedHeader, redactedTarget } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { Refusal } from '../explain/refusal.js';
import type { RequestRecord } from './log.js';

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
  /** Counts the requests since the server's start, from 1: no two have the same, also after the journal was cleared. */
  readonly id: number;
  /** Names in lower case; the values of a name that occurs twice are joined by a comma. */
  readonly headers: Readonly<Record<string, string>>;
  /** Length of the body, in bytes. */
  readonly bodyBytes: number;
  /** The JSON value, or words for what is none; absent without a body, and with one over 16 KiB. */
  readonly body?: unknown;
  /** Why it was refused; absent when it was not. */
  readonly refusal?: Refusal | undefined;
}

/** Says why a request was refused: always the same, and worked out only once. */
export type Explain = () => Refusal;

/** Bytes that target and headers have room in from the start; for longer ones it is made when they come. */
const usualBytes = 1024;

/**
 * A place in the journal. It is written over in its turn, and keeps text as bytes, which are outside V8's heap: what
 * each request left there was copied twice by the garbage collector, and 4 to 12 MB were taken for that.
 */
export class KeptExchange {
  /** The target and then the headers' names and values, a line each, in Latin-1: Node reads them as that. */
  #text = Buffer.allocUnsafe(usualBytes);
  #length = 0;
  #id = 0;
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

  constructor(exchange: Exchange, explain: Explain | undefined, id: number) {
    this.replace(exchange, explain, id);
  }

  get id(): number {
    return this.#id;
  }

  get method(): string {
    return this.#method;
  }

  get status(): number | undefined {
    return this.#status;
  }

  get keyId(): string | undefined {
    return this.#keyId;
  }

  get target(): string {
    const text = this.#text.toString('latin1', 0, this.#length);
    return text.slice(0, text.indexOf('\n'));
  }

  get isRefused(): boolean {
    return this.#explain !== undefined;
  }

  replace(exchange: Exchange, explain: Explain | undefined, id: number): void {
    const { body } = exchange;
    this.#id = id;
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
      id: this.#id,
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

  /** The body as it may be shown, as it was written; `undefined` where it is no JSON, or was not kept. */
  shownBody(): Buffer | undefined {
    if (this.#bodyBytes === 0) return Buffer.alloc(0);
    const shown = this.#body && redactedBody(this.#body);
    return shown !== undefined && 'json' in shown ? Buffer.from(shown.json) : undefined;
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
