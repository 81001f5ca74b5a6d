import type { Dispatcher } from 'undici';
import type { AuthMode } from '../contract/option-values.js';
import type { Credential } from '../signing/basic.js';
import type { RetryPolicy } from './retry.js';
import type { Trace } from './trace.js';

export type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE' | 'OPTIONS';

/** One call of the service. */
export interface ApiRequest {
  readonly method: Method;
  /** Path and query below the base URL, sent and signed byte for byte. */
  readonly target: string;
  /** Exactly these bytes are signed and sent. */
  readonly body?: Uint8Array | undefined;
  /** Value of `Content-Type`; sent when there is a body. */
  readonly contentType?: string | undefined;
  /** Further headers; they replace those that are sent by default, in whatever case they are written. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Milliseconds that this call may take, where less is left than the transport allows: it is one of several. */
  readonly deadline?: number | undefined;
}

export interface TransportOptions extends Pick<RetryPolicy, 'retries' | 'deadline' | 'random' | 'wait'> {
  readonly dispatcher: Dispatcher;
  /** Scheme, host and port. */
  readonly origin: string;
  /** The base URL's path without a trailing slash; part of every target on the wire. */
  readonly prefix: string;
  readonly credential: Credential;
  readonly auth: AuthMode;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Milliseconds that one attempt may take. */
  readonly timeout: number;
  /** Refuse every method but GET. */
  readonly readOnly?: boolean | undefined;
  /** Ends whatever is under way; its reason is thrown. */
  readonly signal: AbortSignal;
  /** Product and version for `User-Agent`. */
  readonly userAgent: string;
  /** Told of retries and of a corrected clock. */
  readonly note?: ((text: string) => void | Promise<void>) | undefined;
  /** Told of every request and answer, secrets masked. The text of others in it is as it came. */
  readonly trace?: Trace | undefined;
}
