import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { readMessage } from '../../errors/errors.js';
import type { Notify } from '../journal/log.js';
import { type Answer, errorAnswer, type HttpError, toHttpError } from './answer.js';
import { Connections, isAnyUnfinished, type Limits } from './connections.js';
import { answerBrokenRequest, requireHead, takeOriginForm } from './head.js';

export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

/** Answers a request. @throws HttpError */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Answer | Promise<Answer>;

export interface ListenerOptions {
  readonly tls?: TlsIdentity | undefined;
  readonly limits: Limits;
  /** For the header `Date`, with which clients measure their clock's error. */
  readonly clock: () => number;
  readonly notify: Notify;
  /** Changes the headers of every response. */
  readonly finish?: ((headers: string[], request: IncomingMessage) => void) | undefined;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** Called if a client's bytes are not a valid request. */
  readonly onBroken?: (refusal: HttpError) => void;
}

/** HTTP/1.1 on one port, over TLS if given an identity. */
export class Listener {
  readonly server: Server;
  readonly connections: Connections;
  readonly #options: ListenerOptions;
  readonly #waiting: [ServerResponse, Answer][] = [];

  constructor(options: ListenerOptions) {
    const { limits, tls, handle, notify, onBroken = () => undefined } = options;
    const made = serverOptions(limits);
    const server = tls ? createSecureServer({ ...made, ...tls }) : createServer(made);
    const connections = new Connections(limits);
    [this.#options, this.server, this.connections] = [options, server, connections];
    connections.watch(server, tls !== undefined);
    // No limit: Node would silently drop excess headers; `requireHead` refuses them instead.
    server.maxHeadersCount = 0;
    server.setTimeout(limits.request, (socket) => {
      // Requests may take long; idle clients and clients that do not read may not.
      const isBusy = isAnyUnfinished(connections.responsesOf(socket));
      if (socket.writableLength > 0 || !isBusy) socket.destroy();
    });
    server.on('clientError', (error, socket: Socket) =>
      answerBrokenRequest(error, socket, connections.responsesOf(socket), onBroken),
    );
    server.on('tlsClientError', (error) =>
      notify('warning', `a TLS handshake failed: ${explainHandshake(error)}`),
    );
    const take = (request: IncomingMessage, response: ServerResponse) => {
      if (!connections.take(response)) return;
      takeOriginForm(request);
      handle(request, response);
    };
    server.on('request', take);
    server.on('checkExpectation', take);
  }

  /** Answers a request outside the service, such as to the control API. */
  async answer(request: IncomingMessage, response: ServerResponse, work: Handle): Promise<void> {
    let answer: Answer;
    try {
      requireHead(request);
      answer = await work(request, response);
    } catch (error) {
      answer = errorAnswer(this.toHttpError(error));
    }
    this.complete(request, answer);
    this.send(response, answer);
  }

  /** Like `toHttpError` of answer.ts, but logs unexpected errors. */
  toHttpError(error: unknown): HttpError {
    const refusal = toHttpError(error);
    if (refusal !== error && refusal.statusCode >= 500) this.#options.notify('error', readMessage(error));
    return refusal;
  }

  /** Adds the headers that every response has. */
  complete(request: IncomingMessage, { status, headers, body }: Answer, others: readonly string[] = []) {
    headers.push('Date', new Date(this.#options.clock()).toUTCString(), ...others);
    if (!(body instanceof Readable) && status !== 204 && status !== 304)
      headers.push('Content-Length', String(Buffer.byteLength(body)));
    if (this.connections.ended.aborted && !headers.includes('Connection'))
      headers.push('Connection', 'close');
    this.#options.finish?.(headers, request);
  }

  /** Writes all responses of one event-loop turn together at its end, because each write wakes a client. */
  send(response: ServerResponse, answer: Answer): void {
    if (this.#waiting.push([response, answer]) === 1) setImmediate(this.#write);
  }

  readonly #write = (): void => {
    for (const [response, { status, headers, body }] of this.#waiting.splice(0)) {
      response.writeHead(status, headers);
      if (body instanceof Readable) body.once('error', () => response.destroy()).pipe(response);
      else response.end(response.req.method === 'HEAD' ? undefined : body);
    }
  };

  close(): Promise<void> {
    return this.connections.close(this.server);
  }
}

function serverOptions({ headers, request, idle, headerBytes }: Limits) {
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

function explainHandshake(error: Error): string {
  if (/alert unknown ca/.test(error.message)) return "the client does not trust the certificate's authority";
  return 'reason' in error ? String(error.reason) : readMessage(error);
}
