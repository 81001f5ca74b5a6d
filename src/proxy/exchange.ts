export type Outcome =
  /** The service's response reached the client whole. */
  | 'passed'
  /** The proxy refused the request without asking the service. */
  | 'refused'
  /** The service gave no response: the proxy answered 502 or 504. */
  | 'failed'
  /** The service's response was cut off, and so was the client's connection. */
  | 'cut-off'
  /** The client left before the end. */
  | 'abandoned';

export interface KeptBody {
  /** At most 1 MiB; empty unless it is whole. */
  readonly bytes: Buffer;
  /** Bytes that passed. */
  readonly length: number;
  /** Whether the body was copied. */
  readonly isWhole: boolean;
}

/** The service's response, or the proxy's own. */
export interface ExchangeResponse {
  readonly status: number;
  readonly reason: string;
  /** Alternating names and values, as the client got them. */
  readonly headers: readonly string[];
  readonly body: KeptBody;
}

/** One request and its outcome. Headers and bodies contain unmasked secrets. */
export interface ProxiedExchange {
  readonly method: string;
  /** The request target, byte for byte. */
  readonly target: Buffer;
  /** Alternating names and values, as received. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: KeptBody;
  /** Whether the profile's secret signed it. */
  readonly isSigned: boolean;
  /** Absent if the client got none. */
  readonly response: ExchangeResponse | undefined;
  /** When it began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds until the first byte of the response's head; absent without one. */
  readonly headAfter: number | undefined;
  /** Milliseconds until its end. */
  readonly milliseconds: number;
  readonly outcome: Outcome;
  readonly problem: string | undefined;
  readonly fault: string | undefined;
}

/** Gets every finished exchange. Must not throw or block. */
export type Observer = (exchange: ProxiedExchange) => void;
