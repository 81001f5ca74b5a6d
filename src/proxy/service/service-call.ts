import type { RawHeaders } from './headers.js';

export interface ServiceHead {
  readonly status: number;
  readonly reason: string;
  readonly rawHeaders: RawHeaders;
}

/** Events of a call to the service; nothing follows `onEnd`, `onCut` or `onError`. */
export interface ServiceEvents {
  onContinue(): void;
  onEarlyHints(link: string | string[]): void;
  onHead(head: ServiceHead): void;
  onData(chunk: Buffer): void;
  onEnd(rawTrailers: RawHeaders): void;
  onCut(): void;
  /** @param isRepeatable whether a request that changes nothing may succeed if it is sent once more */
  onError(error: Error, isRepeatable: boolean): void;
}

export interface ServiceCall {
  /** Whether the service currently accepts no more of the request's body. */
  readonly isFull: boolean;
  pause(): void;
  resume(): void;
  /** Closes the call's connection unless the response is complete; no event follows. */
  abandon(): void;
}

export const switched = 'it switched to another protocol without being asked to';
