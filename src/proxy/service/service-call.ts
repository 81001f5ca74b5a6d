import type { RawHeaders } from './headers.js';

/** The head of the service's response. */
export interface ServiceHead {
  readonly status: number;
  readonly reason: string;
  readonly rawHeaders: RawHeaders;
}

/** What the service does about a request; nothing follows `onEnd`, `onCut` and `onError`. */
export interface ServiceEvents {
  onContinue(): void;
  onEarlyHints(link: string | string[]): void;
  onHead(head: ServiceHead): void;
  onData(chunk: Buffer): void;
  onEnd(rawTrailers: RawHeaders): void;
  /** The connection was closed within the response. */
  onCut(): void;
  /** @param wasReused whether its connection had served another request before */
  onError(error: Error, wasReused: boolean): void;
}

/** A request under way to the service. */
export interface ServiceCall {
  /** Whether the service takes no more of the request's body at the moment. */
  readonly isFull: boolean;
  /** Holds back the response's body. */
  pause(): void;
  resume(): void;
  /** Closes its connection, unless the response is complete; no event follows. */
  abandon(): void;
}

/** Why a response with status 101 is none. */
export const switched = 'it switched to another protocol, unasked';
