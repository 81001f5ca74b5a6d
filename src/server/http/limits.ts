/** Limits of what one client, and all clients together, can use. Times are in milliseconds. */
export interface Limits {
  /** Time for the TLS handshake, and for a request's headers; default: 10,000. */
  readonly headers: number;
  /** Time until a request has arrived, and until a client reads some of its response; default: 30,000. */
  readonly request: number;
  /** Time between two requests of a connection; default: 60,000. */
  readonly idle: number;
  /** Bytes of a request's headers; default: 16,384. */
  readonly headerBytes: number;
  /** Open connections; default: 1,000. */
  readonly connections: number;
  /** Unanswered requests of one connection; default: 32. */
  readonly pipelined: number;
  /** Bytes of request bodies and large responses in memory; beyond that, requests get 503. Default: 67,108,864. */
  readonly heldBytes: number;
}

export const defaultLimits: Limits = {
  headers: 10_000,
  request: 30_000,
  idle: 60_000,
  headerBytes: 16 * 1024,
  connections: 1000,
  pipelined: 32,
  heldBytes: 64 * 1024 * 1024,
};

/** Options of an HTTP or HTTPS server. */
export function serverOptions({ headers, request, idle, headerBytes }: Limits) {
  return {
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: idle,
    maxHeaderSize: headerBytes,
    connectionsCheckingInterval: Math.min(1000, headers),
    requireHostHeader: false,
    minVersion: 'TLSv1.2' as const,
    handshakeTimeout: headers,
    // Client certificates are not verified, and loading the default CAs would slow the start.
    ca: [],
  };
}
