import { type ClientRequest, type IncomingMessage, request as openRequest } from 'node:http';
import { maxHeaderSize } from '../../client/network/direct-sender.js';
import { findValues, toTrailers } from './headers.js';
import type { ProxyAgent } from './service-agent.js';
import { type ServiceCall, type ServiceEvents, switched } from './service-call.js';

/** Sends any request with Node's client, which supports trailers and 100 Continue. */
export class StreamedCall implements ServiceCall {
  readonly #upstream: ClientRequest;
  readonly #events: ServiceEvents;
  #received: IncomingMessage | undefined;
  #body: IncomingMessage | undefined;
  #isOver = false;

  /** @throws Node's error for a request that cannot be sent */
  constructor(
    { method, url }: Pick<IncomingMessage, 'method' | 'url'>,
    headers: string[],
    agent: ProxyAgent,
    events: ServiceEvents,
  ) {
    this.#events = events;
    const framed = withFraming(method, headers);
    const upstream = openRequest({
      agent,
      method,
      path: url,
      headers: framed,
      setHost: false,
      maxHeaderSize,
    });
    // By default, Node drops headers beyond a limit without an error.
    upstream.maxHeadersCount = 0;
    upstream.on('continue', () => events.onContinue());
    upstream.on('information', ({ statusCode, headers: { link } }) => {
      if (statusCode === 103 && link !== undefined) events.onEarlyHints(link);
    });
    upstream.on('upgrade', (_response, socket) => {
      socket.destroy();
      this.#fail(new Error(switched));
    });
    upstream.on('response', (received) => this.#receive(received));
    upstream.on('error', (error) => this.#fail(error));
    this.#upstream = upstream;
  }

  get isFull(): boolean {
    return this.#upstream.writableNeedDrain;
  }

  end(body?: Buffer): void {
    this.#upstream.end(body);
  }

  /** Sends a request's body and trailers as they arrive. */
  sendBodyOf(request: IncomingMessage): void {
    this.#body = request;
    request.once('end', () => {
      if (request.rawTrailers.length > 0) this.#upstream.addTrailers(toTrailers(request.rawTrailers));
      this.#upstream.end();
    });
    request.pipe(this.#upstream, { end: false });
  }

  pause(): void {
    this.#received?.pause();
  }

  resume(): void {
    this.#received?.resume();
  }

  abandon(): void {
    this.#isOver = true;
    this.#body?.unpipe(this.#upstream);
    this.#upstream.destroy();
  }

  #receive(received: IncomingMessage): void {
    const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = received;
    this.#received = received;
    received.on('error', () => undefined);
    received.once('end', () => {
      if (received.complete && this.#finish()) this.#events.onEnd(received.rawTrailers);
    });
    received.once('close', () => {
      if (!received.complete && this.#finish()) this.#events.onCut();
    });
    this.#events.onHead({ status, reason, rawHeaders });
    received.on('data', (chunk: Buffer) => {
      if (!this.#isOver) this.#events.onData(chunk);
    });
  }

  #fail(error: Error): void {
    // Bytes after a complete response, such as a body after a response to HEAD, are not a failure of this call.
    if (this.#received?.complete) return;
    if (this.#finish()) this.#events.onError(error, this.#upstream.reusedSocket);
  }

  #finish(): boolean {
    const isFirst = !this.#isOver;
    this.#isOver = true;
    return isFirst;
  }
}

/** Methods to which Node adds no framing when they have no body. */
const withoutFraming = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE']);

/** Adds `Content-Length: 0` where Node would send an empty chunked body, which services may treat as a body. */
function withFraming(method: string | undefined, headers: string[]): string[] {
  const isFramed = ['content-length', 'transfer-encoding'].some(
    (name) => findValues(headers, name).length > 0,
  );
  return isFramed || withoutFraming.has(method ?? '') ? headers : [...headers, 'Content-Length', '0'];
}
