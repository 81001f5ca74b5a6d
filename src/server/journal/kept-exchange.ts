import { redactedHeader, redactedTarget } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import type { RequestRecord } from './log.js';

const keptBodyBytes = 16_384;

/** A request and its response, unmasked. */
export interface Exchange extends Omit<RequestRecord, 'time' | 'status'> {
  /** Milliseconds since the epoch, by the server's clock. */
  readonly time: number;
  /** Absent if the connection was cut first. */
  readonly status?: number | undefined;
  readonly rawHeaders: readonly string[];
  /** `undefined` if it was not read completely. */
  readonly body?: Buffer | undefined;
  /** Absent if the connection was cut, and for invalid requests. */
  readonly response?: {
    readonly rawHeaders: readonly string[];
    readonly body: Buffer | undefined;
    readonly unreadBytes?: number | undefined;
  };
  /** The announced length of a body that was not read completely; default: 0. */
  readonly unreadBytes?: number | undefined;
}

/** A request and its response, with credentials and secrets masked. IDs count from 1 and survive clearing the journal. */
export interface JournalEntry extends RequestRecord {
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
  /** In bytes; the announced length if it was not read. */
  readonly bodyBytes: number;
  /** JSON, or a description of other data; absent without a body or beyond 16 KiB. */
  readonly body?: unknown;
  readonly refusal?: Refusal | undefined;
}

/** A response, masked like its request. */
export interface JournalResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly bodyBytes: number;
  readonly body?: unknown;
}

/** A request without its credential. */
export interface SendableRequest {
  readonly method: string;
  readonly target: string;
  readonly contentType: string | undefined;
  readonly body: Buffer | undefined;
  readonly keyId: string | undefined;
  readonly organization: string | undefined;
}

export type Explain = () => Refusal;

/** Initial bytes for target and headers; grows if needed. */
const usualBytes = 1024;

const noBytes = Buffer.alloc(0);

/** A reusable slot of the journal. Stores bytes, because the garbage collector would copy strings twice. */
export class KeptExchange {
  /** The target, then header names and values, one per line, in Latin-1 as Node reads them. */
  #text = Buffer.allocUnsafe(usualBytes);
  #length = 0;
  #id = 0;
  #time = 0;
  #milliseconds = 0;
  #method = '';
  #status: number | undefined;
  #body: Buffer | undefined;
  #bodyBytes = 0;
  #isUnread = false;
  #keyId: string | undefined;
  #organization: string | undefined;
  #fault: string | undefined;
  #stub: string | undefined;
  #explain: Explain | undefined;
  #responseHead = noBytes;
  #response: Buffer | undefined;
  #responseBytes = 0;

  constructor(exchange: Exchange, explain: Explain | undefined, id: number) {
    this.replace(exchange, explain, id);
  }

  get id(): number {
    return this.#id;
  }

  /** Milliseconds since the epoch, by the server's clock. */
  get time(): number {
    return this.#time;
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
    this.#isUnread = exchange.unreadBytes !== undefined;
    this.#bodyBytes = body?.byteLength ?? exchange.unreadBytes ?? 0;
    this.#body = this.#bodyBytes === 0 || this.#bodyBytes > keptBodyBytes ? undefined : body;
    this.#keyId = exchange.keyId;
    this.#organization = exchange.organization;
    this.#fault = exchange.fault;
    this.#stub = exchange.stub;
    this.#explain = explain;
    this.#replaceResponse(exchange.response);
  }

  #replaceResponse(response: Exchange['response']): void {
    this.#responseHead =
      response === undefined ? noBytes : Buffer.from(response.rawHeaders.join('\n'), 'latin1');
    this.#responseBytes = response?.body?.byteLength ?? response?.unreadBytes ?? 0;
    this.#response =
      this.#responseBytes === 0 || this.#responseBytes > keptBodyBytes ? undefined : response?.body;
  }

  /** `undefined` if the connection was cut. */
  toResponse(): JournalResponse | undefined {
    if (this.#responseHead.length === 0) return undefined;
    return {
      headers: redactedHeaders(this.#responseHead.toString('latin1').split('\n')),
      bodyBytes: this.#responseBytes,
      ...(this.#response !== undefined && { body: shownBody(this.#response) }),
    };
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
      stub: this.#stub,
      headers: redactedHeaders(head),
      bodyBytes: this.#bodyBytes,
      ...(this.#body !== undefined && { body: shownBody(this.#body) }),
      ...(this.#explain && { refusal: this.#explain() }),
    };
  }

  /** Unmasked, to be sent again. */
  toSendable(): SendableRequest {
    const [target = '', ...head] = this.#text.toString('latin1', 0, this.#length).split('\n');
    const type = head.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
    return {
      method: this.#method,
      target,
      contentType: type === -1 ? undefined : head[type + 1],
      body: this.#bodyBytes === 0 && !this.#isUnread ? noBytes : this.#body,
      keyId: this.#keyId,
      organization: this.#organization,
    };
  }

  hasHeader(name: string, value: string): boolean {
    return this.#text.toString('latin1', 0, this.#length).includes(`\n${name}\n${value}`);
  }

  /** The displayable body as sent; `undefined` if it is not JSON or not stored. */
  shownBody(): Buffer | undefined {
    if (this.#bodyBytes === 0 && !this.#isUnread) return Buffer.alloc(0);
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

function shownBody(body: Buffer): unknown {
  const shown = redactedBody(body);
  return 'json' in shown ? JSON.parse(shown.json) : shown.measures;
}
