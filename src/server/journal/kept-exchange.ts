import { redactedHeader, redactedTarget } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { Refusal } from '../../signing/refusals/refusal.js';
import type { RequestRecord } from './log.js';

const keptBodyBytes = 16_384;

interface Message {
  /** Flat: names and values. */
  readonly rawHeaders: readonly string[];
  /** `undefined` if the body was not read completely, or is not kept because it is long. */
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

/** A response, with credentials and secrets masked. */
export interface JournalResponse {
  readonly headers: Readonly<Record<string, string>>;
  /** The body's length. If the body was not read completely: the announced length, or 0. */
  readonly bodyBytes: number;
  /** JSON, or a description of other data; absent for a body that is empty, unread or longer than 16 KiB. */
  readonly body?: unknown;
}

/** A request, masked like its response. IDs count from 1, and continue after the journal is cleared. */
export interface JournalEntry extends RequestRecord, JournalResponse {
  readonly id: number;
  readonly refusal?: Refusal | undefined;
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

/** What the journal keeps of a request or response. */
class KeptMessage {
  readonly headers: readonly string[];
  readonly bytes: number;
  readonly #body: Buffer | string | undefined;

  constructor({ rawHeaders, unreadBytes, body = unreadBytes === undefined ? '' : undefined }: Message) {
    this.headers = rawHeaders;
    this.bytes = body === undefined ? (unreadBytes ?? 0) : Buffer.byteLength(body);
    // A copy, because a chunk belongs to a larger buffer.
    if (this.bytes <= keptBodyBytes) this.#body = Buffer.isBuffer(body) ? Buffer.from(body) : body;
  }

  /** Empty if none was sent; `undefined` if it is not kept. */
  get body(): Buffer | undefined {
    return this.#body === undefined ? undefined : Buffer.from(this.#body);
  }

  /** Masked. */
  shown(): JournalResponse {
    const { headers, bytes, body } = this;
    const shown = body === undefined || bytes === 0 ? undefined : redactedBody(body);
    return {
      headers: redactedHeaders(headers),
      bodyBytes: bytes,
      ...(shown && { body: 'json' in shown ? JSON.parse(shown.json) : shown.measures }),
    };
  }
}

/** An entry of the journal, unmasked; its methods mask it. */
export class KeptExchange {
  readonly id: number;
  readonly about: Omit<Exchange, keyof Message | 'response'>;
  readonly isRefused: boolean;
  readonly #request: KeptMessage;
  readonly #response: KeptMessage | undefined;
  readonly #explain: Explain | undefined;

  constructor(exchange: Exchange, explain: Explain | undefined, id: number) {
    const { time, method, target, status, milliseconds, keyId, organization, fault, stub } = exchange;
    this.id = id;
    // Field by field: the exchange has the whole bodies, which may be long.
    this.about = { time, method, target, status, milliseconds, keyId, organization, fault, stub };
    this.isRefused = explain !== undefined;
    this.#request = new KeptMessage(exchange);
    this.#response = exchange.response && new KeptMessage(exchange.response);
    this.#explain = explain;
  }

  toResponse(): JournalResponse | undefined {
    return this.#response?.shown();
  }

  /** Field by field, so that nothing unmasked gets in. */
  toEntry(): JournalEntry {
    const { time, method, target, status, milliseconds, keyId, organization, fault, stub } = this.about;
    const { headers, bodyBytes, ...body } = this.#request.shown();
    return {
      id: this.id,
      time: new Date(time).toISOString(),
      method,
      target: redactedTarget(target),
      status: status ?? null,
      ...{ milliseconds, keyId, organization, fault, stub, headers, bodyBytes, ...body },
      ...(this.#explain && { refusal: this.#explain() }),
    };
  }

  /** Unmasked, to be sent again. */
  toSendable(): SendableRequest {
    const { method, target, keyId, organization } = this.about;
    const { headers, body } = this.#request;
    const type = headers.findIndex((name, at) => at % 2 === 0 && name.toLowerCase() === 'content-type');
    const contentType = type === -1 ? undefined : headers[type + 1];
    return { method, target, contentType, body, keyId, organization };
  }

  hasHeader(name: string, value: string): boolean {
    const { headers } = this.#request;
    return headers[headers.indexOf(name) + 1] === value;
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
