import { Readable } from 'node:stream';
import type { Dispatcher } from 'undici';
import type { Sender } from '../exchange/exchange.js';

/** The part of undici's `Dispatcher` (version 7 or later) that the client uses. */
export interface OwnDispatcher {
  dispatch(options: never, handler: never): boolean;
}

/** Sends with a program's own dispatcher, which only its owner may close. */
export function dispatcherSender(dispatcher: OwnDispatcher, origin: string): Sender;
export function dispatcherSender(dispatcher: Pick<Dispatcher, 'dispatch'>, origin: string): Sender {
  return {
    open: ({ method, path, headers, body: sent = null }, signal, onSent) =>
      new Promise((resolve, reject) => {
        let body: Readable | undefined;
        // A redirect that the dispatcher follows would take the credential elsewhere.
        const request = { origin, method, path, headers: [...headers], body: sent, maxRedirections: 0 };
        dispatcher.dispatch(
          { headersTimeout: 0, bodyTimeout: 0, ...request },
          {
            onRequestStart(controller) {
              const abort = () => controller.abort(new Error('cut off', { cause: signal.reason }));
              signal.addEventListener('abort', abort);
              if (signal.aborted) abort();
              else onSent();
            },
            onResponseStart(controller, status, received) {
              // Ignores interim responses, such as 103.
              if (status < 200) return;
              body = new Readable({ read: () => controller.resume?.() });
              body.on('error', () => undefined);
              resolve({ status, headers: received, body });
            },
            onResponseData(controller, chunk) {
              if (body?.push(chunk) === false) controller.pause?.();
            },
            onResponseEnd() {
              if (body === undefined) reject(new Error('the response has no final status'));
              // undici frees a connection one event loop turn after the response; an earlier request would open another.
              setImmediate(() => body?.push(null));
            },
            onResponseError(_controller, error) {
              reject(error);
              body?.destroy(error);
            },
          },
        );
      }),
    close: () => Promise.resolve(),
  };
}
