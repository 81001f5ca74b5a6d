/** How much of the server one client can take up [ours]. */
export interface Limits {
  /** Milliseconds for a TLS handshake. */
  readonly handshake: number;
  /** Milliseconds until the headers of a request are there, from its first byte or from the connection's beginning. */
  readonly headers: number;
  /** Milliseconds until a request is there, with its body. */
  readonly request: number;
  /** Milliseconds that a connection is kept without a request. */
  readonly idle: number;
  /** Bytes of a request's line and headers. */
  readonly headerBytes: number;
  /** Connections at once. One more is answered 503 and closed; beyond twice as many, it is closed without an answer. */
  readonly connections: number;
}

export const defaultLimits: Limits = {
  handshake: 10_000,
  headers: 10_000,
  request: 30_000,
  idle: 60_000,
  headerBytes: 16 * 1024,
  connections: 1000,
};
