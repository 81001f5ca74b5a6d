import { redactedHeader, redactedTarget } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import type { RequestRecord } from './log.js';
import { ReusedBytes } from './reused-bytes.js';

const keptBodyBytes = 16_384;

/** A request and its response, unmasked. */
export interface Exchange extends Omit<RequestRecord, 'time' | 'status'> {
  /** Milliseconds since the epoch, by the server's clock. */
  readonly time: number;
  /** Absent if the connection was dropped before a response. */
  readonly status?: number | undefined;
  readonly rawHeaders: readonly string[];
  /** `undefined` if the body was not read completely. */
  readonly body?: Buffer | undefined;
  /** Absent if the connection was dropped, and for invalid HTTP. */
  readonly response?: {
    readonly rawHeaders: readonly string[];
    readonly body: Buffer | undefined;
    readonly unreadBytes?: number | undefined;
  };
  /** The announced length of a body that was not read completely; absent for other bodies. */
  readonly unreadBytes?: number | undefined;
}

/** A request, with credentials and secrets masked. IDs count from 1, and continue after the journal is cleared. */
export interface JournalEntry extends RequestRecord {
  readonly id: number;
  readonly headers: Readonly<Record<string, string>>;
  /** The body's length. If the body was not read completely: the announced length, or 0. */
  readonly bodyBytes: number;
  /** JSON, or a description of other data; absent for a body that is empty, unread or longer than 16 KiB. */
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

/** A reusable slot of the journal. Stores bytes, because the garbage collector would copy strings. */
export class KeptExchange {
  /** The target, then header names and values, one per line, in Latin-1 as Node reads them. */
  readonly #text = new ReusedBytes();
  #id = 0;
  #time = 0;
  #milliseconds = 0;
  #method = '';
  #status: number | undefined;
  readonly #body = new ReusedBytes();
  #hasBody = false;
  #bodyBytes = 0;
  #isUnread = false;
  #keyId: string | undefined;
  #organization: string | undefined;
  #fault: string | undefined;
  #stub: string | undefined;
  #explain: Explain | undefined;
  readonly #responseHead = new ReusedBytes();
  readonly #response = new ReusedBytes();
  #hasResponse = false;
  #responseBytes = 0;

  constructor(exchange: Exchange, explain: Explain | undefined, id: number) {
    this.replace(exchange, explain, id);
  }

  get id(): number {
    return this.#id;
  }

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
    const text = this.#text.toText();
    return text.slice(0, text.indexOf('\n'));
  }

  get isRefused(): boolean {
    return this.#explain !== undefined;
  }

  replace(exchange: Exchange, explain: Explain | undefined, id: number): void {
    const { body } = exchange;
    this.#id = id;
    this.#text.setText(`${exchange.target}\n${exchange.rawHeaders.join('\n')}`);
    this.#time = exchange.time;
    this.#milliseconds = exchange.milliseconds;
    this.#method = exchange.method;
    this.#status = exchange.status;
    this.#isUnread = exchange.unreadBytes !== undefined;
    this.#bodyBytes = body?.byteLength ?? exchange.unreadBytes ?? 0;
    this.#hasBody = replaceBody(this.#body, this.#bodyBytes, body);
    this.#keyId = exchange.keyId;
    this.#organization = exchange.organization;
    this.#fault = exchange.fault;
    this.#stub = exchange.stub;
    this.#explain = explain;
    this.#replaceResponse(exchange.response);
  }

  #replaceResponse(response: Exchange['response']): void {
    this.#responseHead.setText(response?.rawHeaders.join('\n') ?? '');
    this.#responseBytes = response?.body?.byteLength ?? response?.unreadBytes ?? 0;
    this.#hasResponse = replaceBody(this.#response, this.#responseBytes, response?.body);
  }

  toResponse(): JournalResponse | undefined {
    if (this.#responseHead.length === 0) return undefined;
    return {
      headers: redactedHeaders(this.#responseHead.toText().split('\n')),
      bodyBytes: this.#responseBytes,
      ...(this.#hasResponse && { body: shownBody(this.#response.toBytes()) }),
    };
  }

  toEntry(): JournalEntry {
    const [target = '', ...head] = this.#text.toText().split('\n');
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
      ...(this.#hasBody && { body: shownBody(this.#body.toBytes()) }),
      ...(this.#explain && { refusal: this.#explain() }),
    };
  }

  /** Unmasked, to be sent again. */
  toSendable(): SendableRequest {
    const [target = '', ...head] = this.#text.toText().split('\n');
    const type = head.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
    return {
      method: this.#method,
      target,
      contentType: type === -1 ? undefined : head[type + 1],
      body: this.#bodyBytes === 0 && !this.#isUnread ? noBytes : this.#keptBody(),
      keyId: this.#keyId,
      organization: this.#organization,
    };
  }

  hasHeader(name: string, value: string): boolean {
    return this.#text.toText().includes(`\n${name}\n${value}`);
  }

  /** The masked body, empty if none was sent; `undefined` if it is not JSON or not stored. */
  shownBody(): Buffer | undefined {
    if (this.#bodyBytes === 0 && !this.#isUnread) return Buffer.alloc(0);
    const body = this.#keptBody();
    const shown = body && redactedBody(body);
    return shown !== undefined && 'json' in shown ? Buffer.from(shown.json) : undefined;
  }

  #keptBody(): Buffer | undefined {
    return this.#hasBody ? this.#body.toBytes() : undefined;
  }
}

function replaceBody(kept: ReusedBytes, bytes: number, body: Buffer | undefined): boolean {
  const isKept = body !== undefined && bytes > 0 && bytes <= keptBodyBytes;
  kept.set(isKept ? body : noBytes);
  return isKept;
}

const noBytes = Buffer.alloc(0);

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
