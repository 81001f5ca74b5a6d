import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import { type Arriving, NoStatusError, type Sender } from '../exchange/exchange.js';

/** The part of undici's `Dispatcher` (version 7 or later) that the client uses. */
export interface OwnDispatcher {
  /** Sends a request, as undici does. */
  dispatch(options: never, handler: never): boolean;
}

/** Sends with a program's own dispatcher, which only its owner may close. */
export function dispatcherSender(dispatcher: OwnDispatcher, origin: string): Sender;
export function dispatcherSender(dispatcher: Pick<Dispatcher, 'dispatch'>, origin: string): Sender {
  return {
    open: ({ method, path, headers, body = null }, signal, onSent) =>
      new Promise((resolve, reject) => {
        const handler = new ResponseHandler({ signal, onSent, resolve, reject });
        // A redirect that the dispatcher follows would take the credential elsewhere.
        const request = { origin, method, path, headers: [...headers], body, maxRedirections: 0 };
        dispatcher.dispatch({ headersTimeout: 0, bodyTimeout: 0, ...request }, handler);
      }),
    close: () => Promise.resolve(),
  };
}

interface Opening {
  readonly signal: AbortSignal;
  readonly onSent: () => void;
  readonly resolve: (arriving: Arriving) => void;
  readonly reject: (error: unknown) => void;
}

class ResponseHandler implements Dispatcher.DispatchHandler {
  readonly #opening: Opening;
  #body: Readable | undefined;

  constructor(opening: Opening) {
    this.#opening = opening;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    const { signal, onSent } = this.#opening;
    const abort = () => controller.abort(new Error('cut off', { cause: signal.reason }));
    signal.addEventListener('abort', abort);
    if (signal.aborted) abort();
    else onSent();
  }

  onResponseStart(
    controller: Dispatcher.DispatchController,
    status: number,
    headers: Arriving['headers'],
  ): void {
    // Ignores interim responses, such as 103.
    if (status < 200) return;
    const body = new Readable({ read: () => controller.resume?.() });
    body.on('error', () => undefined);
    this.#body = body;
    this.#opening.resolve({ status, headers, body });
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#body?.push(chunk) === false) controller.pause?.();
  }

  onResponseEnd(): void {
    const { reject } = this.#opening;
    // undici frees a connection one event loop turn after the response; an earlier request would open another.
    if (this.#body !== undefined) setImmediate(() => this.#body?.push(null));
    else reject(new NoStatusError());
  }

  onResponseError(_controller: unknown, error: Error): void {
    this.#opening.reject(error);
    this.#body?.destroy(error);
  }
}
