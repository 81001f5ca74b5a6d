import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { type Answer, errorAnswer, type HttpError, toHttpError } from './answer.js';
import { answerBrokenRequest } from './broken-request.js';
import { Connections, isAnyUnfinished } from './connections.js';
import { requireHead, takeOriginForm } from './head.js';
import { type Limits, serverOptions } from './limits.js';

export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
}

/** Answers a request. @throws HttpError */
export type Handle = (request: IncomingMessage, response: ServerResponse) => Answer | Promise<Answer>;

export interface ListenerOptions {
  readonly tls?: TlsIdentity | undefined;
  readonly limits: Limits;
  /** Milliseconds since the epoch: clients measure their skew by the header `Date`. */
  readonly clock: () => number;
  /** Takes errors that nobody expects. */
  readonly report: (error: unknown) => void;
  /** Changes the list of headers of every response. */
  readonly finish?: ((headers: string[], request: IncomingMessage) => void) | undefined;
  readonly handle: (request: IncomingMessage, response: ServerResponse) => unknown;
  /** Called with broken HTTP that is no request. */
  readonly onBroken?: (refusal: HttpError) => void;
  readonly onHandshakeFailure?: (error: Error, socket: Socket) => void;
}

/** HTTP/1.1 on one port, over TLS 1.2 or later if given an identity. */
export class Listener {
  readonly server: Server;
  readonly connections: Connections;
  readonly #options: ListenerOptions;
  readonly #waiting: [ServerResponse, Answer][] = [];
  #second = Number.NaN;
  #date = '';

  constructor(options: ListenerOptions) {
    const { limits, tls, handle, onBroken = () => undefined, onHandshakeFailure } = options;
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
    if (onHandshakeFailure) server.on('tlsClientError', onHandshakeFailure);
    const take = (request: IncomingMessage, response: ServerResponse) => {
      if (!connections.take(response)) return;
      takeOriginForm(request);
      handle(request, response);
    };
    server.on('request', take);
    server.on('checkExpectation', take);
  }

  /** Answers a request that is not one to the service. */
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

  /** Reports an error that nobody expects. */
  toHttpError(error: unknown): HttpError {
    const refusal = toHttpError(error);
    if (refusal !== error && refusal.statusCode >= 500) this.#options.report(error);
    return refusal;
  }

  /** Adds the headers that every response has. */
  complete(request: IncomingMessage, { status, headers, body }: Answer, others: readonly string[] = []) {
    headers.push('Date', this.#dateText(), ...others);
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

  /** To the second. */
  #dateText(): string {
    const now = Math.floor(this.#options.clock() / 1000);
    if (now !== this.#second) [this.#second, this.#date] = [now, new Date(now * 1000).toUTCString()];
    return this.#date;
  }

  close(): Promise<void> {
    return this.connections.close(this.server);
  }
}
