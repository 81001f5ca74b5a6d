import { DecoratorHandler, type Dispatcher } from 'undici';
import { DecodedTooLargeError, decodeContent } from '../exchange/content-coding.js';
import type { ObservedCall } from './observed-call.js';

/** Bytes; enough for a thousand rows. A larger body is reported as empty. */
const maxWatchedBytes = 8 * 1024 * 1024;

/** A call, and the milliseconds from dispatch to the end of its response. */
export interface TimedCall extends ObservedCall {
  readonly milliseconds: number;
  /** Milliseconds since the epoch, by our clock, when the response's headers arrived. */
  readonly arrived: number;
}

/** An interceptor that reports each complete response, including responses to attempts that are retried. */
export function watchCalls(
  onCall: (call: TimedCall) => void,
  clock: () => number,
): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) =>
    dispatch(request, new CallWatcher(handler, request, { onCall, clock }));
}

interface Watching {
  readonly onCall: (call: TimedCall) => void;
  readonly clock: () => number;
}

class CallWatcher extends DecoratorHandler implements Dispatcher.DispatchHandler {
  readonly #handler: Dispatcher.DispatchHandler;
  readonly #request: ObservedCall['request'];
  readonly #watching: Watching;
  readonly #started = performance.now();
  #head: Pick<TimedCall, 'status' | 'headers' | 'arrived'> | undefined;
  #chunks: Buffer[] = [];
  #bytes = 0;

  constructor(
    handler: Dispatcher.DispatchHandler,
    { method, path }: Dispatcher.DispatchOptions,
    watching: Watching,
  ) {
    super(handler);
    this.#handler = handler;
    this.#request = { method, target: path };
    this.#watching = watching;
  }

  onResponseStart(...[controller, status, headers, message]: HandlerArguments<'onResponseStart'>): void {
    if (status >= 200) {
      this.#head = {
        status,
        headers: pairHeaders(controller.rawHeaders, headers),
        arrived: this.#watching.clock(),
      };
    }
    this.#handler.onResponseStart?.(controller, status, headers, message);
  }

  onResponseData(...[controller, chunk]: HandlerArguments<'onResponseData'>): void {
    this.#bytes += chunk.length;
    if (this.#bytes <= maxWatchedBytes) this.#chunks.push(chunk);
    else this.#chunks = [];
    this.#handler.onResponseData?.(controller, chunk);
  }

  onResponseEnd(...[controller, trailers]: HandlerArguments<'onResponseEnd'>): void {
    if (this.#head !== undefined) {
      this.#watching.onCall({
        request: this.#request,
        ...this.#head,
        body: decodeWatched(Buffer.concat(this.#chunks), this.#head.headers),
        milliseconds: performance.now() - this.#started,
      });
    }
    this.#handler.onResponseEnd?.(controller, trailers);
  }
}

function decodeWatched(body: Buffer, headers: ObservedCall['headers']): Buffer {
  const encoding = headers.flatMap(([name, value]) =>
    name.toLowerCase() === 'content-encoding' ? [value] : [],
  );
  try {
    return decodeContent(body, encoding, maxWatchedBytes) ?? body;
  } catch (error) {
    if (error instanceof DecodedTooLargeError) return Buffer.alloc(0);
    throw error;
  }
}

type HandlerArguments<Name extends 'onResponseStart' | 'onResponseData' | 'onResponseEnd'> = Parameters<
  NonNullable<Dispatcher.DispatchHandler[Name]>
>;

function pairHeaders(raw: unknown, headers: Readonly<Record<string, string | string[] | undefined>>) {
  if (Array.isArray(raw)) {
    const texts = raw.map((part) => (Buffer.isBuffer(part) ? part.toString('latin1') : String(part)));
    return texts.flatMap((name, at): [string, string][] =>
      at % 2 === 0 ? [[name, texts[at + 1] ?? '']] : [],
    );
  }
  return Object.entries(headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((one): [string, string] => [name, one]),
  );
}
