import type { Dispatcher } from 'undici';
import { type Called, calledAs } from './request.js';
import { holdWasmTierUp } from './wasm-tier-up.js';

/** The response to one attempt. */
export interface Answer {
  readonly called: Called;
  readonly status: number;
  /** Names in lower case; repeated headers are arrays. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** An attempt without a complete response. `cause` is the abort reason, or the error that ended the attempt. */
export class ExchangeFailure extends Error {
  /** Whether the request may have reached the service: true once undici has passed it to a socket. */
  readonly delivered: boolean;
  // Private, because logging an error shows the properties of its cause, and the body may hold a secret.
  readonly #partial: Answer | undefined;

  constructor(cause: unknown, delivered: boolean, partial: Answer | undefined) {
    super('no complete response', { cause });
    this.delivered = delivered;
    this.#partial = partial;
  }

  /** Status, headers and the start of the body of an incomplete response. */
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

export interface ExchangeLimits {
  readonly maxBytes: number;
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** Rejects only with `ExchangeFailure`: check its `delivered` before repeating the request. */
export async function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Answer> {
  const answer = await dispatchRequest(dispatcher, request, limits).catch(async (failure) => {
    if (!(failure instanceof ExchangeFailure) || !isCoded(failure.partial)) throw failure;
    throw new ExchangeFailure(
      failure.cause,
      failure.delivered,
      await decodeAnswer(failure.partial, limits.maxBytes),
    );
  });
  // undici frees a connection one event loop turn after the response; an earlier request would open another.
  await new Promise((resolve) => setImmediate(resolve));
  return isCoded(answer) ? decodeAnswer(answer, limits.maxBytes) : answer;
}

/** Whether the response has a `Content-Encoding`. */
export function isCoded(answer: Answer | undefined): answer is Answer {
  return answer?.headers['content-encoding'] !== undefined;
}

/** Decodes the body if possible: some services compress it unasked. @throws ExchangeFailure if it is too large */
async function decodeAnswer(answer: Answer, maxBytes: number): Promise<Answer> {
  const { decodeContent, DecodedTooLargeError } = await import('./content-coding.js');
  const { 'content-encoding': encoding = [], 'content-length': _, ...headers } = answer.headers;
  try {
    const body = decodeContent(answer.body, [encoding].flat(), maxBytes);
    return body === undefined ? answer : { ...answer, headers, body };
  } catch (error) {
    if (!(error instanceof DecodedTooLargeError)) throw error;
    throw new ExchangeFailure(new AnswerTooLargeError(error.limit), true, answer);
  }
}

function dispatchRequest(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    if (limits.signal.aborted) {
      reject(new ExchangeFailure(limits.signal.reason, false, undefined));
      return;
    }
    const called = calledAs(request.method, request.path);
    const handler = new ExchangeHandler(called, limits, resolve, reject);
    try {
      dispatcher.dispatch({ headersTimeout: 0, bodyTimeout: 0, ...request }, handler);
    } catch (error) {
      handler.fail(error);
    }
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #called: Called;
  readonly #limits: ExchangeLimits;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (failure: ExchangeFailure) => void;
  readonly #onAbort = () => this.#cutOff(this.#limits.signal.reason);
  readonly #timer: NodeJS.Timeout;
  readonly #releaseWasm = holdWasmTierUp();
  #controller: Dispatcher.DispatchController | undefined;
  #settled = false;
  #head: Pick<Answer, 'status' | 'headers'> | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    called: Called,
    limits: ExchangeLimits,
    resolve: (answer: Answer) => void,
    reject: (failure: ExchangeFailure) => void,
  ) {
    this.#called = called;
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    // Node.js 20 can garbage-collect AbortSignal.any and AbortSignal.timeout before they fire.
    this.#timer = setTimeout(() => this.#cutOff(new ExchangeTimeoutError()), limits.timeout);
    limits.signal.addEventListener('abort', this.#onAbort);
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.#settled) controller.abort(new Error('abandoned before it was sent'));
    else this.#controller = controller;
  }

  onResponseStart(_controller: unknown, status: number, headers: Answer['headers']): void {
    // Ignores interim responses, such as 103.
    if (status < 200) return;
    this.#releaseWasm();
    this.#head = { status, headers };
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.maxBytes) this.#cutOff(new AnswerTooLargeError(this.#limits.maxBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const answer = this.#received();
    if (answer === undefined) this.fail(new Error('the response had no status'));
    else {
      this.#settle();
      this.#resolve(answer);
    }
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(error);
  }

  fail(cause: unknown): void {
    // undici reports data even after a cut-off. Without this check, each chunk would copy the whole body again.
    if (this.#settled) return;
    this.#settle();
    this.#reject(new ExchangeFailure(cause, this.#controller !== undefined, this.#received()));
  }

  #cutOff(reason: unknown): void {
    this.fail(reason);
    this.#controller?.abort(new Error('cut off', { cause: reason }));
  }

  #settle(): void {
    this.#settled = true;
    this.#releaseWasm();
    clearTimeout(this.#timer);
    this.#limits.signal.removeEventListener('abort', this.#onAbort);
  }

  #received(): Answer | undefined {
    return this.#head && { called: this.#called, ...this.#head, body: Buffer.concat(this.#chunks) };
  }
}
