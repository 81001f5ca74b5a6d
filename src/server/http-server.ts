import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { followAnswers } from './broken-request.js';
import { errorBody } from './error-body.js';
import type { EarlyRefusals } from './journal/early-refusals.js';
import type { Limits } from './limits.js';
import { isTooLargeToStart } from './receive-body.js';
import { problemOfHead, takeOriginForm } from './request-head.js';

/** Certificate and key, as PEM text. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface HttpServerOptions {
  readonly tls: TlsIdentity | undefined;
  readonly limits: Limits;
  /** Told of requests that are refused before the listener sees them, and why. */
  readonly note: EarlyRefusals['ofRequest'];
}

/**
 * An HTTP/1.1 server, over TLS (1.2 and later) when it has an identity. What Node would answer by itself with an
 * empty body gets the body of every other error here.
 */
export function createHttpServer(
  listener: RequestListener,
  { tls, limits, note }: HttpServerOptions,
): Server {
  const excess = new WeakSet<Socket>();
  const handle: RequestListener = (request, response) => {
    takeOriginForm(request);
    const problem = problemOfHead(request);
    if (excess.has(request.socket)) {
      note(request, 503, `more than ${limits.connections} connections are open`);
      refuse(response, 503, 'Too many connections');
    } else if (problem) {
      note(request, problem.status, problem.reason);
      refuse(response, problem.status, problem.message);
    } else {
      listener(request, response);
    }
  };
  const server = tls
    ? createSecureServer({ ...httpOptions(limits), ...secureOptions(limits), ...tls }, handle)
    : createServer(httpOptions(limits), handle);
  // All that the limit on their bytes lets through: what is too many is counted, not dropped.
  server.maxHeadersCount = 0;
  server.maxConnections = 2 * limits.connections;
  server.on(tls ? 'secureConnection' : 'connection', excessFinder(limits.connections, excess));
  server.on('checkContinue', (request, response) => {
    if (!isTooLargeToStart(request)) response.writeContinue();
    handle(request, response);
  });
  server.on('checkExpectation', (request, response) => {
    takeOriginForm(request);
    note(request, 417, 'its Expect header asks for what is not 100-continue');
    refuse(response, 417);
  });
  followAnswers(server);
  return server;
}

function httpOptions({ headers, request, idle, headerBytes }: Limits) {
  return {
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: idle,
    maxHeaderSize: headerBytes,
    // How often the first two are looked at.
    connectionsCheckingInterval: Math.min(1000, headers),
    requireHostHeader: false,
  };
}

function secureOptions({ handshake }: Limits) {
  return {
    minVersion: 'TLSv1.2' as const,
    handshakeTimeout: handshake,
    // No client is asked for a certificate; reading the system's authorities would take a good part of a start.
    ca: [],
  };
}

/** Notes the connections that come while there are as many as there may be. */
function excessFinder(limit: number, excess: WeakSet<Socket>): (socket: Socket) => void {
  let open = 0;
  return (socket) => {
    open += 1;
    socket.once('close', () => {
      open -= 1;
    });
    if (open > limit) excess.add(socket);
  };
}

function refuse(response: ServerResponse, status: number, message?: string): void {
  const body = JSON.stringify(errorBody(status, message));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}
