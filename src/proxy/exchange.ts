export type Outcome =
  /** The service's response reached the client whole. */
  | 'passed'
  /** The proxy refused the request, or answered it as a fault rule says. */
  | 'refused'
  /** The service gave no usable response: the proxy answered 502 or 504. */
  | 'failed'
  /** The proxy closed the client's connection: the service's response broke off, or a fault rule applied. */
  | 'cut-off'
  /** The client left early, stopped reading, or sent a malformed body during the response. */
  | 'abandoned';

export interface KeptBody {
  /** At most 1 MiB; empty unless `isWhole`. */
  readonly bytes: Buffer;
  /** Bytes of the body that passed, copied or not. */
  readonly length: number;
  /** Whether `bytes` contains all of these. */
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

/** One request and its outcome. Nothing is masked, so it may contain secrets. */
export interface ProxiedExchange {
  readonly method: string;
  /** The bytes of the request target. */
  readonly target: Buffer;
  /** Alternating names and values, as received. */
  readonly requestHeaders: readonly string[];
  readonly requestBody: KeptBody;
  /** Whether the proxy added the credential of its profile. */
  readonly isSigned: boolean;
  /** Absent if the client got no response. */
  readonly response: ExchangeResponse | undefined;
  /** When it began, in milliseconds since the epoch. */
  readonly startedAt: number;
  /** Milliseconds until the response's headers arrived; absent without a response. */
  readonly headAfter: number | undefined;
  /** Milliseconds until the end of the exchange. */
  readonly milliseconds: number;
  readonly outcome: Outcome;
  readonly problem: string | undefined;
  readonly fault: string | undefined;
}

/** Called with every finished exchange. Must not throw or block. */
export type Observer = (exchange: ProxiedExchange) => void;
