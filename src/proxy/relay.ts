import {
  type ClientRequest,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import { explainFailure } from '../client/transport/explain-failure.js';
import { BodyCopy, type CopyBudget } from './body-copy.js';
import type { ExchangeResponse, Observer, Outcome } from './exchange.js';
import { findValues, toClientHeaders, tokenHeader, toServiceHeaders, toTrailers } from './headers.js';
import { answerRefusal, type ProxyRefusal } from './proxy-refusal.js';
import { readSmallBody } from './read-body.js';
import type { ProxyAgent } from './service-agent.js';
import { isToken, type Signer, wantsSignature } from './sign-request.js';

export interface RelayOptions {
  readonly agent: ProxyAgent;
  /** The service's scheme, host and port, for messages. */
  readonly origin: string;
  /** Milliseconds for which the service, or the client, may be silent. */
  readonly timeout: number;
  readonly signer: Signer | undefined;
  readonly observers: readonly Observer[];
  /** Absent where nobody observes. */
  readonly budget: CopyBudget | undefined;
}

/** Bytes of the head of a response. */
const maxHeaderSize = 64 * 1024;

const retriable = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Passes one request to the service, and its response to the client. */
export class Relay {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: RelayOptions;
  readonly #startedAt = Date.now();
  readonly #started = performance.now();
  readonly #requestCopy: BodyCopy;
  readonly #responseCopy: BodyCopy;
  readonly #silence: NodeJS.Timeout;
  #upstream: ClientRequest | undefined;
  #head: Omit<ExchangeResponse, 'body'> | undefined;
  #headAfter: number | undefined;
  #outcome: Outcome | undefined;
  #problem: string | undefined;
  #isSigned = false;
  #hasLeave = false;
  #wasRetried = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: RelayOptions) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.#requestCopy = new BodyCopy(options.budget);
    this.#responseCopy = new BodyCopy(options.budget);
    this.#silence = setTimeout(() => this.#endSilence(), options.timeout);
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    response.once('close', () => this.#settle());
  }

  /** Answers without asking the service. */
  refuse(refusal: ProxyRefusal): void {
    this.#answer('refused', refusal);
  }

  /** The request is malformed within its body: the service never gets the end of what was sent on. */
  breakOff(refusal: ProxyRefusal): void {
    if (this.#head === undefined) this.refuse(refusal);
    else this.#response.destroy();
  }

  /** Sends the request on, signed if it asks for that. */
  async send(): Promise<void> {
    const { rawHeaders } = this.#request;
    const { signer, agent } = this.#options;
    const headers = toServiceHeaders(rawHeaders, agent.authority);
    const given = findValues(rawHeaders, tokenHeader.toLowerCase());
    if (signer === undefined || given.length === 0) return this.#pass(headers);
    if (!isToken(given, signer)) {
      return this.refuse({ status: 403, reason: `the ${tokenHeader} header has another token` });
    }
    if (wantsSignature(rawHeaders, given)) return this.#sign(signer, headers);
    return this.#pass(headers);
  }

  async #sign(signer: Signer, headers: string[]): Promise<void> {
    const { method = '', url = '' } = this.#request;
    if (this.#awaitsLeave()) this.#giveLeave();
    this.#request.on('data', (chunk: Buffer) => this.#note(this.#requestCopy, chunk));
    const body = await readSmallBody(this.#request);
    if (body === 'too large') {
      return this.refuse({ status: 413, reason: 'the body is larger than the 16 MiB that it signs' });
    }
    if (body === undefined) return;
    this.#isSigned = true;
    const unexpected = dropExpect(headers);
    const signed = [...unexpected, ...signer.sign({ method, target: url, headers, body })];
    const upstream = this.#open(signed);
    upstream?.end(body);
  }

  #pass(headers: string[]): void {
    const upstream = this.#open(headers);
    if (upstream === undefined) return;
    const request = this.#request;
    if (!this.#hasBody()) return void upstream.end();
    request.on('data', (chunk: Buffer) => this.#note(this.#requestCopy, chunk));
    request.once('end', () => {
      if (request.rawTrailers.length > 0) upstream.addTrailers(toTrailers(request.rawTrailers));
      upstream.end();
    });
    request.pipe(upstream, { end: false });
  }

  #hasBody(): boolean {
    const { 'content-length': length = '0', 'transfer-encoding': coding } = this.#request.headers;
    return coding !== undefined || Number(length) > 0;
  }

  /** Opens the request to the service; `undefined` when that failed at once. */
  #open(headers: string[]): ClientRequest | undefined {
    const { method, url } = this.#request;
    const { agent } = this.#options;
    try {
      const upstream = openRequest({ agent, method, path: url, headers, setHost: false, maxHeaderSize });
      upstream.maxHeadersCount = 0;
      upstream.on('continue', () => this.#giveLeave());
      upstream.on('information', ({ statusCode, headers: { link } }) => {
        if (statusCode === 103 && link !== undefined) this.#response.writeEarlyHints({ link });
      });
      upstream.on('upgrade', (_response, socket) => {
        socket.destroy();
        this.#fail(502, 'it switched to another protocol, unasked');
      });
      upstream.on('response', (response) => this.#receive(response));
      upstream.on('error', (error) => this.#explain(error, upstream, headers));
      this.#upstream = upstream;
      return upstream;
    } catch (error) {
      this.#fail(502, `the request cannot be sent (${error instanceof Error ? error.message : error})`);
      return undefined;
    }
  }

  #receive(received: IncomingMessage): void {
    const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = received;
    const response = this.#response;
    const isEmpty = this.#request.method === 'HEAD' || status === 204 || status === 304;
    const headers = toClientHeaders(rawHeaders, !isEmpty && this.#request.httpVersion === '1.1');
    this.#headAfter = performance.now() - this.#started;
    // What is still to come of the request is not read: it could be taken for the next one.
    if (this.#awaitsLeave()) response.shouldKeepAlive = false;
    response.sendDate = false;
    received.on('error', () => undefined);
    try {
      response.writeHead(status, reason, headers);
    } catch {
      this.#fail(502, 'its response is not valid HTTP');
      return;
    }
    this.#head = { status, reason, headers };
    received.on('data', (chunk: Buffer) => this.#note(this.#responseCopy, chunk));
    received.once('end', () => this.#finish(received));
    received.once('close', () => {
      if (!received.complete) this.#cutOff('the service closed the connection within its response');
    });
    received.pipe(response, { end: false });
    // A short body goes out with the head, in one write; a service that takes its time holds no head back.
    setImmediate(() => {
      if (!response.writableEnded && !response.destroyed) response.flushHeaders();
    });
  }

  #finish(received: IncomingMessage): void {
    if (!received.complete) return;
    const response = this.#response;
    if (received.rawTrailers.length > 0) response.addTrailers(toTrailers(received.rawTrailers));
    this.#outcome ??= 'passed';
    response.end();
  }

  #giveLeave(): void {
    this.#hasLeave = true;
    this.#response.writeContinue();
  }

  /** Whether the client waits for leave to send its body. */
  #awaitsLeave(): boolean {
    return this.#request.headers.expect !== undefined && !this.#request.complete && !this.#hasLeave;
  }

  #note(copy: BodyCopy, chunk: Buffer): void {
    copy.add(chunk);
    this.#silence.refresh();
  }

  #explain(error: Error, upstream: ClientRequest, headers: string[]): void {
    if (upstream !== this.#upstream || this.#outcome !== undefined) return;
    if (this.#mayRetry(upstream)) {
      this.#wasRetried = true;
      this.#open(headers)?.end();
      return;
    }
    const allowed = {
      timeout: this.#options.timeout,
      option: 'timeout',
      value: this.#options.timeout,
    } as const;
    const { reason } = explainFailure(error, true, allowed);
    const code = 'code' in error && error.code === 'UND_ERR_CONNECT_TIMEOUT' ? 504 : 502;
    this.#fail(code, reason);
  }

  /** The service may close a connection while it is unused, and a request that changes nothing is on its way. */
  #mayRetry({ reusedSocket }: ClientRequest): boolean {
    const { method = '' } = this.#request;
    return (
      reusedSocket &&
      !this.#wasRetried &&
      this.#head === undefined &&
      retriable.has(method) &&
      !this.#hasBody()
    );
  }

  #endSilence(): void {
    const { timeout } = this.#options;
    const isOfClient = !this.#request.complete && this.#upstream?.writableNeedDrain !== true;
    if (this.#head !== undefined) {
      if (this.#response.writableNeedDrain) this.#response.destroy();
      else this.#cutOff(`the service sent nothing for ${timeout} ms within its response`);
    } else if (isOfClient && this.#hasBody() && !this.#awaitsLeave()) {
      this.#answer('refused', { status: 408, reason: `the client sent nothing for ${timeout} ms` });
    } else this.#fail(504, `no response within ${timeout} ms`);
  }

  #fail(status: 502 | 504, reason: string): void {
    if (this.#head !== undefined) this.#cutOff(reason);
    else this.#answer('failed', { status, reason: `${this.#options.origin} gave no response: ${reason}` });
  }

  #answer(outcome: Outcome, refusal: ProxyRefusal): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = outcome;
    this.#problem = refusal.reason;
    this.#leaveService();
    const { headers, body, reason } = answerRefusal(this.#response, refusal);
    this.#responseCopy.add(Buffer.from(body));
    this.#head = { status: refusal.status, reason, headers };
    this.#headAfter = performance.now() - this.#started;
  }

  /** Closes the client's connection, so that it does not take what it has for the whole response. */
  #cutOff(problem: string): void {
    if (this.#outcome !== undefined) return;
    this.#outcome = 'cut-off';
    this.#problem = problem;
    this.#response.destroy();
  }

  #leaveService(): void {
    if (this.#upstream === undefined) return;
    this.#request.unpipe(this.#upstream);
    this.#upstream.on('error', () => undefined).destroy();
  }

  #settle(): void {
    clearTimeout(this.#silence);
    if (!this.#response.writableFinished && this.#outcome !== 'cut-off') {
      this.#outcome = 'abandoned';
      this.#problem = 'the client closed the connection';
    }
    if (this.#outcome !== 'passed' || !this.#request.complete) this.#leaveService();
    const request = this.#request;
    const [requestBody, body] = [this.#requestCopy.read(), this.#responseCopy.read()];
    for (const observe of this.#options.observers) {
      observe({
        method: request.method ?? '',
        target: Buffer.from(request.url ?? '', 'latin1'),
        requestHeaders: request.rawHeaders,
        requestBody,
        isSigned: this.#isSigned,
        response: this.#head && { ...this.#head, body },
        startedAt: this.#startedAt,
        headAfter: this.#headAfter,
        milliseconds: performance.now() - this.#started,
        outcome: this.#outcome ?? 'abandoned',
        problem: this.#problem,
      });
    }
  }
}

function dropExpect(headers: readonly string[]): string[] {
  const at = headers.findIndex((name, index) => index % 2 === 0 && name.toLowerCase() === 'expect');
  return at === -1 ? [...headers] : headers.toSpliced(at, 2);
}
