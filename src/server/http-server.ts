import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { errorBody } from './error-body.js';
import { isTooLargeToStart } from './receive-body.js';

/** Certificate and key, as PEM text. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

/** Milliseconds that a part of an exchange may take; what takes longer is cut off [ours]. */
const limits = {
  headersTimeout: 10_000,
  requestTimeout: 30_000,
  keepAliveTimeout: 60_000,
  // How often the first two are looked at.
  connectionsCheckingInterval: 1000,
};
const secureOptions = {
  minVersion: 'TLSv1.2' as const,
  handshakeTimeout: 10_000,
  // No client is asked for a certificate; reading the system's authorities would take a good part of a start.
  ca: [],
};

/**
 * An HTTP/1.1 server, over TLS (1.2 and later) when it has an identity. What Node would answer by itself with an
 * empty body gets the body of every other error here.
 */
export function createHttpServer(listener: RequestListener, tls: TlsIdentity | undefined): Server {
  const handle: RequestListener = (request, response) => {
    const isWithoutHost = request.httpVersion === '1.1' && request.headers.host === undefined;
    if (isWithoutHost) refuse(response, 400);
    else listener(request, response);
  };
  const options = { ...limits, requireHostHeader: false };
  const server = tls
    ? createSecureServer({ ...options, ...secureOptions, ...tls }, handle)
    : createServer(options, handle);
  const handleExpecting: RequestListener = (request, response) => {
    if (!isTooLargeToStart(request)) response.writeContinue();
    handle(request, response);
  };
  server.on('checkContinue', handleExpecting);
  server.on('checkExpectation', (_request, response) => refuse(response, 417));
  return server;
}

function refuse(response: ServerResponse, status: number): void {
  const body = JSON.stringify(errorBody(status));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}
