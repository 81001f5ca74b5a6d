/** Limits of what one client, and all clients together, can use. Times are in milliseconds. */
export interface Limits {
  /** Time for the TLS handshake; default: 10,000. */
  readonly handshake: number;
  /** Time for a request's headers, from its first byte or the start of the connection; default: 10,000. */
  readonly headers: number;
  /** Time until a request has arrived in full; default: 30,000. */
  readonly request: number;
  /** Time that a connection may be open between two requests; default: 60,000. */
  readonly idle: number;
  /** Time until a client that does not read its responses is cut off; default: 30,000. */
  readonly unread: number;
  /** Bytes of a request's headers; default: 16,384. */
  readonly headerBytes: number;
  /** Open connections. At the limit, a new one replaces one that is idle, slow or sends too fast, or gets 503. Default: 1,000. */
  readonly connections: number;
  /** Open connections from one peer address; default: 250. */
  readonly peerConnections: number;
  /** The same for this machine, including all clients of a proxy on it; default: 900. */
  readonly loopbackConnections: number;
  /** Unanswered requests on one connection; further ones wait. Default: 32. */
  readonly pipelined: number;
  /** Unanswered requests in total; beyond that, each connection may have one at a time. Default: 1,000. */
  readonly requests: number;
  /** Bytes of request bodies and large responses in memory; beyond that, requests get 503. Default: 67,108,864. */
  readonly heldBytes: number;
  /** Bytes of all snapshots; the oldest are dropped for a new one. Default: 268,435,456. */
  readonly snapshotBytes: number;
  /** Failed authentications from a peer address per minute; further ones are delayed by a second. Default: 100. */
  readonly peerFailures: number;
  /** The same for this machine; default: 100,000. */
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
