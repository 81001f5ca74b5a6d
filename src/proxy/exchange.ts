/** How an exchange ended. */
export type Outcome =
  /** The service's response reached the client whole. */
  | 'passed'
  /** The proxy refused the request without asking the service. */
  | 'refused'
  /** The service gave no response: the proxy answered 502 or 504. */
  | 'failed'
  /** The service's response broke off, and the client's connection with it. */
  | 'cut-off'
  /** The client left before the end. */
  | 'abandoned';

/** A body as far as it is kept. */
export interface KeptBody {
  /** At most 1 MiB. */
  readonly bytes: Buffer;
  /** Bytes that passed. */
  readonly length: number;
  /** Whether `bytes` is all of it. */
  readonly isWhole: boolean;
}

/** The service's response, or the proxy's own. */
export interface ExchangeResponse {
  readonly status: number;
  readonly reason: string;
  /** Names and values in turn, as the client got them. */
  readonly headers: readonly string[];
  readonly body: KeptBody;
}

/** One request and what became of it. Header values and bodies hold secrets as they came. */
export interface ProxiedExchange {
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: Buffer;
  /** Names and values in turn, as they came over the wire. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: KeptBody;
  /** Whether the profile's secret signed it. */
  readonly isSigned: boolean;
  /** Absent where the client got none. */
  readonly response: ExchangeResponse | undefined;
  /** When it began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds until the first byte of the response's head; absent without one. */
  readonly headAfter: number | undefined;
  /** Milliseconds until its end. */
  readonly milliseconds: number;
  readonly outcome: Outcome;
  /** Why it did not pass. */
  readonly problem: string | undefined;
  /** The fault rule that hit it. */
  readonly fault: string | undefined;
}

/** Is given every exchange when it has ended. It must not throw, and does its own waiting. */
export type Observer = (exchange: ProxiedExchange) => void;
