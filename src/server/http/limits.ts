/** How much of the server a single client, and all together, can take up [ours]. */
export interface Limits {
  /** Milliseconds for a TLS handshake. */
  readonly handshake: number;
  /** Milliseconds for a request's headers, from its first byte or the start of the connection. */
  readonly headers: number;
  /** Milliseconds for a whole request, with its body. */
  readonly request: number;
  /** Milliseconds for which an idle connection is kept. */
  readonly idle: number;
  /** Milliseconds after which a client that does not read its answers is cut off. */
  readonly unread: number;
  /** Bytes of a request's line and headers. */
  readonly headerBytes: number;
  /**
   * In place of one more, an idle connection is closed, or one that sends faster than it is answered; else the new one
   * gets 503, and beyond twice as many nothing.
   */
  readonly connections: number;
  /** Connections of one peer address at once, handled alike. */
  readonly peerConnections: number;
  /** The same for peers on this machine, and so for all clients of a proxy on it. */
  readonly loopbackConnections: number;
  /** Unanswered requests of one connection; the next ones are read when these are answered. */
  readonly pipelined: number;
  /** Unanswered requests in total; beyond that, each connection may have one at a time. */
  readonly requests: number;
  /** Bytes of request bodies and large answers held at once; what would need more is answered 503. */
  readonly heldBytes: number;
  /** Bytes of all snapshots of the control API; the oldest are dropped for a new one. */
  readonly snapshotBytes: number;
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
  snapshotBytes: 256 * 1024 * 1024,
  peerFailures: 100,
  loopbackFailures: 100_000,
};
