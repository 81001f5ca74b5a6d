import { redactedHeader, redactedTarget } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import type { RequestRecord } from './log.js';

const keptBodyBytes = 16_384;

interface Message {
  /** Flat: names and values. */
  readonly rawHeaders: readonly string[];
  /** `undefined` if the body was not read completely. */
  readonly body?: Buffer | string | undefined;
  /** The announced length of a body that was not read completely; absent for other bodies. */
  readonly unreadBytes?: number | undefined;
}

/** A request and its response, unmasked. */
export interface Exchange extends Omit<RequestRecord, 'time' | 'status'>, Message {
  /** Milliseconds since the epoch, by the server's clock. */
  readonly time: number;
  /** Absent if the connection was dropped before a response. */
  readonly status?: number | undefined;
  /** Absent if the connection was dropped, and for invalid HTTP. */
  readonly response?: Message | undefined;
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

/** What the journal keeps of a request or response; not its body if that is long. */
class KeptMessage {
  readonly headers: readonly string[];
  readonly bytes: number;
  readonly isEmpty: boolean;
  readonly #body: Buffer | string | undefined;

  constructor({ rawHeaders, body, unreadBytes }: Message) {
    this.headers = rawHeaders;
    this.bytes = body === undefined ? (unreadBytes ?? 0) : Buffer.byteLength(body);
    this.isEmpty = this.bytes === 0 && unreadBytes === undefined;
    // A copy, because a chunk belongs to a larger buffer.
    const isKept = body !== undefined && this.bytes > 0 && this.bytes <= keptBodyBytes;
    this.#body = isKept ? (typeof body === 'string' ? body : Buffer.from(body)) : undefined;
  }

  /** Empty if none was sent; `undefined` if it is not kept. */
  get body(): Buffer | undefined {
    if (this.isEmpty) return noBytes;
    return this.#body === undefined ? undefined : Buffer.from(this.#body);
  }

  /** Masked. */
  shown(): JournalResponse {
    const { headers, bytes, body } = this;
    const shown = body === undefined || this.isEmpty ? {} : { body: showBody(body) };
    return { headers: redactedHeaders(headers), bodyBytes: bytes, ...shown };
  }
}

/** An entry of the journal, unmasked; its methods mask it. */
export class KeptExchange {
  readonly id: number;
  readonly time: number;
  readonly method: string;
  readonly target: string;
  readonly status: number | undefined;
  readonly keyId: string | undefined;
  readonly #milliseconds: number;
  readonly #organization: string | undefined;
  readonly #fault: string | undefined;
  readonly #stub: string | undefined;
  readonly #request: KeptMessage;
  readonly #response: KeptMessage | undefined;
  readonly #explain: Explain | undefined;

  // Field by field: a copy of all fields would keep the unmasked bodies, too.
  constructor(exchange: Exchange, explain: Explain | undefined, id: number) {
    this.id = id;
    this.time = exchange.time;
    this.method = exchange.method;
    this.target = exchange.target;
    this.status = exchange.status;
    this.keyId = exchange.keyId;
    this.#milliseconds = exchange.milliseconds;
    this.#organization = exchange.organization;
    this.#fault = exchange.fault;
    this.#stub = exchange.stub;
    this.#request = new KeptMessage(exchange);
    this.#response = exchange.response && new KeptMessage(exchange.response);
    this.#explain = explain;
  }

  get isRefused(): boolean {
    return this.#explain !== undefined;
  }

  toResponse(): JournalResponse | undefined {
    return this.#response?.shown();
  }

  toEntry(): JournalEntry {
    const { headers, bodyBytes, ...body } = this.#request.shown();
    return {
      id: this.id,
      time: new Date(this.time).toISOString(),
      method: this.method,
      target: redactedTarget(this.target),
      status: this.status ?? null,
      milliseconds: this.#milliseconds,
      keyId: this.keyId,
      organization: this.#organization,
      fault: this.#fault,
      stub: this.#stub,
      headers,
      bodyBytes,
      ...body,
      ...(this.#explain && { refusal: this.#explain() }),
    };
  }

  /** Unmasked, to be sent again. */
  toSendable(): SendableRequest {
    const { headers, body } = this.#request;
    const type = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
    return {
      method: this.method,
      target: this.target,
      contentType: type === -1 ? undefined : headers[type + 1],
      body,
      keyId: this.keyId,
      organization: this.#organization,
    };
  }

  hasHeader(name: string, value: string): boolean {
    const { headers } = this.#request;
    return headers.some((one, at) => at % 2 === 0 && one === name && headers[at + 1] === value);
  }

  /** The masked body, empty if none was sent; `undefined` if it is not JSON or not stored. */
  shownBody(): Buffer | undefined {
    const { body, isEmpty } = this.#request;
    if (body === undefined || isEmpty) return body;
    const shown = redactedBody(body);
    return 'json' in shown ? Buffer.from(shown.json) : undefined;
  }
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

function showBody(body: Buffer): unknown {
  const shown = redactedBody(body);
  return 'json' in shown ? JSON.parse(shown.json) : shown.measures;
}
