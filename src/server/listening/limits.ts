/** How much of the server one client can take up, and all together [ours]. */
export interface Limits {
  /** Milliseconds for a TLS handshake. */
  readonly handshake: number;
  /** Milliseconds until the headers of a request are there, from its first byte or from the connection's beginning. */
  readonly headers: number;
  /** Milliseconds until a request is there, with its body. */
  readonly request: number;
  /** Milliseconds that a connection is kept without a request. */
  readonly idle: number;
  /** Milliseconds after which a client that takes nothing of its answers is cut off. */
  readonly unread: number;
  /** Bytes of a request's line and headers. */
  readonly headerBytes: number;
  /**
   * Connections at once. For one more an idle one is closed, or one that has more requests waiting than are read; where
   * there is none, the new one is answered 503 and closed; beyond twice as many, it is closed without an answer.
   */
  readonly connections: number;
  /** Connections of one peer address at once, in the same way. */
  readonly peerConnections: number;
  /** The same for peers on this machine, and so for all clients of a proxy on it. */
  readonly loopbackConnections: number;
  /** Unanswered requests of one connection; the next ones are read when these are answered. */
  readonly pipelined: number;
  /** Unanswered requests in all; beyond, each connection has one at a time. */
  readonly requests: number;
  /** Bytes of bodies and of large answers that are held at once; what would need more is answered 503. */
  readonly heldBytes: number;
  /** Failed authentications of one peer address in a minute; the answer to each further one takes a second. */
  readonly peerFailures: number;
  /** The same for peers on this machine. */
  readonly loopbackFailures: number;
}

export const defaultLimits: Limits = {
  handshake: 10_000,
  headers: 10_000,
  request: 30_000,
  idle: 60_000,
  unread: 30_000,
  headerBytes: 16 * 1024,
  connections: 1000,
  peerConnections: 250,
  loopbackConnections: 900,
  pipelined: 32,
  requests: 1000,
  heldBytes: 64 * 1024 * 1024,
  peerFailures: 100,
  loopbackFailures: 100_000,
};
