/** How much of the server one client, and all together, can use. Times are in milliseconds. */
export interface Limits {
  readonly handshake: number;
  /** From a request's first byte or the start of the connection. */
  readonly headers: number;
  readonly request: number;
  readonly idle: number;
  /** Until a client that does not read its responses is cut off. */
  readonly unread: number;
  readonly headerBytes: number;
  /** At the limit, evicts an idle or fast sending one; else the new one gets 503, and beyond twice the limit nothing. */
  readonly connections: number;
  readonly peerConnections: number;
  /** The same for this machine, and so for all clients of a proxy on it. */
  readonly loopbackConnections: number;
  /** Unanswered requests of one connection; further ones wait unread. */
  readonly pipelined: number;
  /** Unanswered requests in total; beyond that, each connection may have one at a time. */
  readonly requests: number;
  /** Bytes of request bodies and large responses at once; beyond that, 503. */
  readonly heldBytes: number;
  /** Bytes of all snapshots; the oldest are dropped for a new one. */
  readonly snapshotBytes: number;
  /** Failed authentications of a peer address per minute; the response to each further one takes a second. */
  readonly peerFailures: number;
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
