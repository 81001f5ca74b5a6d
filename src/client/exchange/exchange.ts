import { isUtf8 } from 'node:buffer';
import { setMaxListeners } from 'node:events';
import { brotliDecompressSync, constants, unzipSync } from 'node:zlib';
import { deepestJson, isDeeperThan, tryParseJson } from '../../text/exact-json.js';
import { type Called, calledAs } from './request.js';

/** The response to one attempt. */
export interface Answer {
  readonly called: Called;
  readonly status: number;
  /** Names in lower case; repeated headers are arrays. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** A request as it goes on the wire, except for `Host` and framing. */
export interface WireRequest {
  readonly method: string;
  readonly path: string;
  /** Alternating names and values. */
  readonly headers: readonly string[];
  readonly body?: Uint8Array | undefined;
}

/** A response whose body is still arriving; the body fails if it is cut off. */
export interface Arriving extends Pick<Answer, 'status' | 'headers'> {
  readonly body: AsyncIterable<Buffer>;
}

/** Sends requests to one origin. */
export interface Sender {
  /** @param onSent called when the request is passed to a connection, and so may arrive */
  open(request: WireRequest, signal: AbortSignal, onSent: () => void): Promise<Arriving>;
  /** Closes connections. Nothing can be sent afterwards. */
  close(): Promise<void>;
}

/** An attempt without a complete response, because of `cause`. */
export class ExchangeFailure extends Error {
  /** Whether the request was passed to a connection, and so may have reached the service. */
  readonly delivered: boolean;
  // Private, because logging an error shows its properties, and the body may hold a secret.
  readonly #partial: Answer | undefined;

  constructor(cause: unknown, delivered: boolean, partial: Answer | undefined) {
    super('no complete response', { cause });
    this.delivered = delivered;
    this.#partial = partial;
  }

  /** The part of the response that arrived. */
  get partial(): Answer | undefined {
    return this.#partial;
  }
}

export class AnswerTooLargeError extends Error {
  constructor(limit: number) {
    super(`the response is larger than ${Math.floor(limit / (1024 * 1024))} MiB`);
  }
}

export class ExchangeTimeoutError extends Error {}

interface ExchangeLimits {
  readonly maxBytes: number;
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Sends a request and reads the response. Rejects only with `ExchangeFailure`. */
export async function exchange(
  sender: Sender,
  request: WireRequest,
  { signal, timeout, maxBytes }: ExchangeLimits,
): Promise<Answer> {
  if (signal.aborted) throw new ExchangeFailure(signal.reason, false, undefined);
  const called = calledAs(request.method, request.path);
  const chunks: Buffer[] = [];
  let head: Pick<Answer, 'status' | 'headers'> | undefined;
  let isSent = false;
  const onSent = () => {
    isSent = true;
  };
  const collect = async (cut: AbortController) => {
    const { body, ...rest } = await sender.open(request, cut.signal, onSent);
    head = rest;
    let bytes = 0;
    for await (const chunk of body) {
      bytes += chunk.length;
      if (bytes > maxBytes) cut.abort(new AnswerTooLargeError(maxBytes));
      cut.signal.throwIfAborted();
      chunks.push(chunk);
    }
    return decodeAnswer({ called, ...rest, body: Buffer.concat(chunks) }, maxBytes);
  };
  return underSignals([signal], async (cut) => {
    const timer = setTimeout(() => cut.abort(new ExchangeTimeoutError()), timeout);
    try {
      return await untilAborted(collect(cut), cut.signal);
    } catch (error) {
      const partial = head && { called, ...head, body: Buffer.concat(chunks) };
      const cause = cut.signal.aborted ? cut.signal.reason : error;
      throw new ExchangeFailure(cause, isSent, partial && decodeAnswer(partial, maxBytes));
    } finally {
      clearTimeout(timer);
    }
  });
}

/**
 * Runs `act` with a controller that any of the signals aborts. Node.js 20 can garbage-collect the signals
 * of `AbortSignal.any` and `AbortSignal.timeout` before they fire.
 */
export async function underSignals<Result>(
  signals: readonly AbortSignal[],
  act: (cut: AbortController) => Promise<Result>,
): Promise<Result> {
  const cut = new AbortController();
  // Every pending request listens to the same signals, and bulk work has many.
  setMaxListeners(0, ...signals);
  const followed = signals.map((signal) => {
    const onAbort = () => cut.abort(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    return () => signal.removeEventListener('abort', onAbort);
  });
  try {
    return await act(cut);
  } finally {
    for (const unfollow of followed) unfollow();
  }
}

/** Rejects with the signal's reason at once, even if the work takes time to notice it, or never ends. */
export function untilAborted<Result>(work: Promise<Result>, signal: AbortSignal): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    work.then(resolve, reject);
  });
}

/** Decodes a body that a service compressed unasked, if possible. */
function decodeAnswer(answer: Answer, maxBytes: number): Answer {
  const { 'content-encoding': coding, 'content-length': _, ...headers } = answer.headers;
  const body = decodeContent(answer.body, coding, maxBytes);
  return coding === undefined || body === undefined ? answer : { ...answer, headers, body };
}

/** The decoded bytes, even of a cut-off body; `undefined` if they are broken, too large, or of another coding. */
export function decodeContent(
  bytes: Buffer,
  coding: string | readonly string[] | undefined,
  maxOutputLength: number,
): Buffer | undefined {
  if (coding === undefined || coding === 'identity' || bytes.length === 0) return bytes;
  const { Z_SYNC_FLUSH, BROTLI_OPERATION_FLUSH } = constants;
  try {
    if (String(coding) === 'br')
      return brotliDecompressSync(bytes, { finishFlush: BROTLI_OPERATION_FLUSH, maxOutputLength });
    return unzipSync(bytes, { finishFlush: Z_SYNC_FLUSH, maxOutputLength });
  } catch {
    return undefined;
  }
}

/** Bytes; more JSON, once parsed, may not fit into memory. */
export const maxJsonBytes = 16 * 1024 * 1024;

type JsonBody = { readonly value: unknown } | { readonly fault: string };

/**
 * Reads UTF-8, and ignores a byte order mark, as RFC 8259, section 8.1, allows. Returns a `fault` instead of throwing,
 * because only callers know whether it is an error.
 */
export function readJson(body: Buffer, most = maxJsonBytes): JsonBody {
  if (body.length === 0) return { fault: 'empty' };
  if (body.length > most) return { fault: `larger than the ${most / 2 ** 20} MiB that are read as JSON` };
  if (!isUtf8(body)) return { fault: 'not JSON' };
  const value = tryParseJson(new TextDecoder().decode(body));
  if (value === undefined) return { fault: 'not JSON' };
  return isDeeperThan(deepestJson, value) ? { fault: `nested deeper than ${deepestJson} levels` } : { value };
}

export function readJsonValue(body: Buffer): unknown {
  const json = readJson(body);
  return 'value' in json ? json.value : undefined;
}

export function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}
