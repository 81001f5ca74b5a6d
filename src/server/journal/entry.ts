import { redactedHeader, redactedTarget } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { Refusal } from '../../signing/refusals/refusal.js';

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

/** Drops long bodies, and copies short chunks, because a chunk would keep a larger buffer. */
export function keptExchange(exchange: Exchange): Exchange {
  const request = keptMessage(exchange);
  const response = exchange.response && keptMessage(exchange.response);
  // Copying every exchange would be a tenth of the work for a request.
  if (request === exchange && response === exchange.response) return exchange;
  return { ...exchange, ...request, response };
}

function keptMessage(message: Message): Message {
  const { rawHeaders, body = '', unreadBytes } = message;
  const bytes = unreadBytes ?? Buffer.byteLength(body);
  if (unreadBytes !== undefined || bytes > keptBodyBytes)
    return { rawHeaders, body: undefined, unreadBytes: bytes };
  return typeof body === 'string' || bytes === 0 ? message : { rawHeaders, body: Buffer.from(body) };
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
