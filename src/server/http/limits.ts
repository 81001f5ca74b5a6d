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
  /** Open connections; a further one is closed. Default: 1,000. */
  readonly connections: number;
  /** Unanswered requests on one connection; a further one ends the connection. Default: 32. */
  readonly pipelined: number;
  /** Bytes of request bodies and large responses in memory; beyond that, requests get 503. Default: 67,108,864. */
  readonly heldBytes: number;
}

export const defaultLimits: Limits = {
  handshake: 10_000,
  headers: 10_000,
  request: 30_000,
  idle: 60_000,
  unread: 30_000,
  headerBytes: 16 * 1024,
  connections: 1000,
  pipelined: 32,
  heldBytes: 64 * 1024 * 1024,
};

/** Options of the HTTP server; those for TLS mean nothing to a plain one. */
export function serverOptions({ headers, request, idle, headerBytes, handshake }: Limits) {
  return {
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: idle,
    maxHeaderSize: headerBytes,
    connectionsCheckingInterval: Math.min(1000, headers),
    requireHostHeader: false,
    minVersion: 'TLSv1.2' as const,
    handshakeTimeout: handshake,
    // Client certificates are not verified, and loading the default CAs would slow the start.
    ca: [],
  };
}
