import { createServer, type RequestListener, type Server } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { Limits } from '../http/limits.js';
import { type ResponseClass, responseSpellings } from '../http/wire-headers.js';
import { followAnswers } from './broken-request.js';
import type { ConnectionLimiter } from './connection-limiter.js';
import { takeOriginForm } from './request-head.js';
import { RequestQueue } from './request-queue.js';

export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

export interface HttpServerOptions {
  readonly tls: TlsIdentity | undefined;
  readonly limits: Limits;
  readonly spelling?: ResponseClass | undefined;
  readonly room: ConnectionLimiter;
}

/** HTTP/1.1, over TLS 1.2 or later if given an identity. The listener also gets requests that Node usually refuses. */
export function createHttpServer(
  listener: RequestListener,
  { tls, limits, spelling = responseSpellings['as-documented'], room }: HttpServerOptions,
): Server {
  const intake = new RequestQueue(limits);
  const handle: RequestListener = (request, response) => {
    takeOriginForm(request);
    intake.take(response, () => listener(request, response));
  };
  const server = tls
    ? createSecureServer({ ...httpOptions(limits, spelling), ...secureOptions(limits), ...tls }, handle)
    : createServer(httpOptions(limits, spelling), handle);
  // No limit: Node would silently drop excess headers; `problemOfHead` refuses them instead.
  server.maxHeadersCount = 0;
  // Never zero, which means no limit in Node 20 and no connections in later versions.
  server.maxConnections = Math.max(1, 2 * limits.connections);
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    room.enter(intake.open(socket));
  });
  server.setTimeout(limits.unread, (socket) => {
    // Requests may take long; idle clients and clients that do not read may not.
    if (socket.writableLength > 0 || intake.connectionOf(socket)?.isIdle !== false) socket.destroy();
  });
  server.on('checkContinue', handle);
  server.on('checkExpectation', handle);
  followAnswers(server);
  return server;
}

function httpOptions({ headers, request, idle, headerBytes }: Limits, spelling: ResponseClass) {
  return {
    ServerResponse: spelling,
    headersTimeout: headers,
    requestTimeout: request,
    keepAliveTimeout: idle,
    maxHeaderSize: headerBytes,
    connectionsCheckingInterval: Math.min(1000, headers),
    requireHostHeader: false,
  };
}

function secureOptions({ handshake }: Limits) {
  return {
    minVersion: 'TLSv1.2' as const,
    handshakeTimeout: handshake,
    // Client certificates are not verified, and loading the default CAs would slow the start.
    ca: [],
  };
}
