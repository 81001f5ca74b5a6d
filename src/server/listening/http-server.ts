import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import type { EarlyRefusals } from '../journal/early-refusals.js';
import { errorBody } from '../pipeline/error-body.js';
import { isTooLargeToStart } from '../pipeline/receive-body.js';
import { followAnswers } from './broken-request.js';
import { ConnectionRoom, type NoRoom } from './connection-room.js';
import { Intake } from './intake.js';
import type { Limits } from './limits.js';
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
  const intake = new Intake(limits);
  const room = new ConnectionRoom(limits);
  const excess = new WeakMap<Socket, NoRoom>();
  const handle: RequestListener = (request, response) => {
    takeOriginForm(request);
    const problem = problemOfHead(request);
    const noRoom = excess.get(request.socket);
    if (noRoom !== undefined) {
      note(request, 503, `too many connections ${noRoom} are open, and none of them is idle`);
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
  intake.watch(server);
  server.on(tls ? 'secureConnection' : 'connection', (socket: Socket) => {
    const connection = intake.connectionOf(socket);
    const noRoom = connection && room.enter(connection);
    if (noRoom !== undefined) excess.set(socket, noRoom);
  });
  server.setTimeout(limits.unread, (socket) => {
    // A request may take its time; a client that takes none of its answers, or has no request, may not.
    if (socket.writableLength > 0 || intake.connectionOf(socket)?.isIdle !== false) socket.destroy();
  });
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

function refuse(response: ServerResponse, status: number, message?: string): void {
  const body = JSON.stringify(errorBody(status, message));
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    connection: 'close',
  });
  response.end(body);
}
