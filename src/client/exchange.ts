import type { Dispatcher } from 'undici';
import { holdWasmTierUp } from './wasm-tier-up.js';

/** The request that an error speaks of. */
export interface Called {
  readonly method: string;
  readonly target: string;
}

/** What came back for one attempt: the whole answer in memory. */
export interface Answer {
  readonly status: number;
  /** Names in lower case; a header that came more than once is an array. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
}

/** Why one attempt brought no whole answer. */
export class ExchangeFailure extends Error {
  /** Whether the request may have reached the service: true from the moment it was handed to the socket. */
  readonly delivered: boolean;
  /** Status and headers of an answer that broke off, with the body's beginning. */
  readonly partial: Answer | undefined;

  constructor(cause: unknown, delivered: boolean, partial: Answer | undefined) {
    super('no complete answer', { cause });
    this.delivered = delivered;
    this.partial = partial;
  }
}

/** The answer's body is larger than a client should hold in memory. */
export class AnswerTooLargeError extends Error {
  constructor(limit: number) {
    super(`the answer is larger than ${limit} bytes`);
  }
}

export interface ExchangeLimits {
  /** Bytes of an answer's body, beyond which the exchange is cut off. */
  readonly maxBytes: number;
  /** Ends the exchange at any moment; its reason becomes the failure's cause. */
  readonly signal: AbortSignal;
}

/**
 * Sends one request and reads the whole answer. Rejects with `ExchangeFailure` alone, which says whether the request
 * may have been delivered: callers must know it before they repeat anything.
 */
export function exchange(
  dispatcher: Dispatcher,
  request: Dispatcher.DispatchOptions,
  limits: ExchangeLimits,
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const handler = new ExchangeHandler(limits, resolve, reject);
    try {
      const release = holdWasmTierUp();
      handler.finally(release);
      dispatcher.dispatch({ headersTimeout: 0, bodyTimeout: 0, ...request }, handler);
    } catch (error) {
      handler.fail(error);
    }
  });
}

class ExchangeHandler implements Dispatcher.DispatchHandler {
  readonly #limits: ExchangeLimits;
  readonly #resolve: (answer: Answer) => void;
  readonly #reject: (failure: ExchangeFailure) => void;
  readonly #onAbort = () => this.#cutOff(this.#limits.signal.reason);
  #controller: Dispatcher.DispatchController | undefined;
  #cleanup: () => void = () => undefined;
  #answer: { status: number; headers: Answer['headers'] } | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    limits: ExchangeLimits,
    resolve: (answer: Answer) => void,
    reject: (failure: ExchangeFailure) => void,
  ) {
    this.#limits = limits;
    this.#resolve = resolve;
    this.#reject = reject;
    limits.signal.addEventListener('abort', this.#onAbort, { once: true });
    if (limits.signal.aborted) this.#onAbort();
  }

  /** Registers what must happen once the headers are here or the exchange has failed. */
  finally(cleanup: () => void): void {
    this.#cleanup = cleanup;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // Given up while it waited for a connection: it must not go out any more.
    if (this.#limits.signal.aborted) controller.abort(new Error('given up before it was sent'));
  }

  onResponseStart(_controller: unknown, status: number, headers: Answer['headers']): void {
    if (status < 200) return;
    this.#cleanup();
    this.#answer = { status, headers };
  }

  onResponseData(_controller: unknown, chunk: Buffer): void {
    this.#bytes += chunk.length;
    if (this.#bytes > this.#limits.maxBytes) this.#cutOff(new AnswerTooLargeError(this.#limits.maxBytes));
    else this.#chunks.push(chunk);
  }

  onResponseEnd(): void {
    const answer = this.#received();
    this.#settled();
    if (answer === undefined) this.fail(new Error('the answer had no status'));
    else this.#resolve(answer);
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.fail(error);
  }

  fail(cause: unknown): void {
    this.#settled();
    this.#reject(new ExchangeFailure(cause, this.#controller !== undefined, this.#received()));
  }

  #cutOff(reason: unknown): void {
    this.fail(reason);
    this.#controller?.abort(reason instanceof Error ? reason : new Error(String(reason)));
  }

  #settled(): void {
    this.#cleanup();
    this.#limits.signal.removeEventListener('abort', this.#onAbort);
  }

  #received(): Answer | undefined {
    return this.#answer && { ...this.#answer, body: Buffer.concat(this.#chunks) };
  }
}
