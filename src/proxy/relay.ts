import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import { type ErrorBody, proxyFaultStart, proxyRefusalStart } from '../api/error-message.js';
import type { Fault } from '../api/faults/faults.js';
import { maxHeaderSize } from '../client/network/direct-sender.js';
import { isAuthenticating, type SignOptions, withCredential } from '../client/signing/authenticate.js';
import { defaultMaxBodyBytes } from '../client/signing/body-bytes.js';
import { explainFailure } from '../client/transport/failures.js';
import { equalInConstantTime } from '../signing/basic/basic.js';
import type { ProxyRefusal } from './admit.js';
import { BodyCopy, type Observer, type Outcome, ProxiedExchange } from './exchange.js';
import { findValues, toClientHeaders, tokenHeader, toPairs, toServiceHeaders, via } from './headers.js';

/** The credential that signs requests; clients send `token` in those that the proxy is to sign. */
export interface Signer extends SignOptions {
  readonly token: string;
}

export interface RelayOptions {
  readonly agent: Agent;
  readonly origin: string;
  readonly timeout: number;
  readonly signer: Signer | undefined;
  readonly observers: readonly Observer[];
  readonly keptResponse: number;
}

/** Errors need no handling: `close` follows each, and ends the exchange. */
const ignore = () => undefined;

/** Forwards one request to the service, and its response to the client. */
export class Relay {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: RelayOptions;
  readonly #exchange: ProxiedExchange;
  #outgoing: ClientRequest | undefined;
  #incoming: IncomingMessage | undefined;
  #fault: Fault | undefined;
  #delay: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, options: RelayOptions) {
    this.#request = request.on('error', ignore);
    this.#response = response.on('error', ignore);
    this.#options = options;
    this.#exchange = new ProxiedExchange(request);
    response.on('close', () => this.#settle());
  }

  refuse(refusal: ProxyRefusal): void {
    this.#answer('refused', refusal);
  }

  send(fault: Fault | undefined): void {
    if (fault === undefined) return void this.#forward();
    this.#fault = fault;
    this.#exchange.fault = fault.rule;
    this.#delay = setTimeout(() => this.#applyFault(fault), fault.delay);
  }

  #applyFault({ rule, effect }: Fault): void {
    const reason = `${proxyFaultStart}${rule}`;
    if (effect?.kind === 'status') this.refuse({ ...effect, reason });
    else if (effect?.kind === 'drop') this.#cutOff(reason);
    else if (effect?.kind === 'reset' && this.#exchange.end('cut-off', reason))
      this.#request.socket.resetAndDestroy();
    else this.#forward();
  }

  /** Forwards the request, signed if it has the token and no credential. */
  #forward(): void {
    const { method = '', rawHeaders } = this.#request;
    const { signer, origin } = this.#options;
    const headers = toServiceHeaders(method, rawHeaders, new URL(origin).host);
    const [token, ...others] = findValues(rawHeaders, tokenHeader.toLowerCase());
    this.#copy(this.#request, this.#exchange.requestBody);
    if (signer !== undefined && token !== undefined) {
      const reason = `the ${tokenHeader} header has a wrong token`;
      if (others.length > 0 || !equalInConstantTime(token, signer.token))
        return void this.refuse({ status: 403, reason });
      if (!toPairs(rawHeaders).some(([name]) => isAuthenticating(name)))
        return void this.#sign(signer, headers);
    }
    const outgoing = this.#open(headers);
    if (outgoing !== undefined) this.#request.pipe(outgoing);
  }

  #sign(signer: Signer, headers: string[]): void {
    const { method = '', url: target = '' } = this.#request;
    const chunks: Buffer[] = [];
    let length = 0;
    const take = (chunk: Buffer) => {
      length += chunk.length;
      if (length <= defaultMaxBodyBytes) return void chunks.push(chunk);
      this.#request.off('data', take).off('end', end);
      this.refuse({ status: 413, reason: 'the body is larger than 16 MiB, the limit for signing' });
    };
    const end = () => {
      const body = Buffer.concat(chunks);
      this.#exchange.isSigned = true;
      const signed = withCredential(toPairs(headers), signer, { method, target, body });
      this.#open(signed.flat())?.end(body);
    };
    this.#request.on('data', take).on('end', end);
  }

  /** Begins the request to the service; `undefined` if it cannot be sent. */
  #open(headers: string[]): ClientRequest | undefined {
    const { method, url: path } = this.#request;
    const { agent, timeout } = this.#options;
    try {
      const outgoing = openRequest({ agent, method, path, headers, setHost: false, maxHeaderSize, timeout });
      // By default, Node drops headers beyond a limit without an error.
      outgoing.maxHeadersCount = 0;
      outgoing.on('response', (incoming) => this.#pass(incoming));
      outgoing.on('upgrade', (_response, socket) => {
        socket.destroy();
        this.#fail(new Error('it switched to another protocol without being asked to'));
      });
      outgoing.on('timeout', () => this.#endSilence());
      outgoing.on('error', (error) => this.#fail(error));
      this.#outgoing = outgoing;
      return outgoing;
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
  }

  #pass(incoming: IncomingMessage): void {
    const { effect, rule } = this.#fault ?? {};
    if (effect?.kind === 'drop-answer') this.#cutOff(`${proxyFaultStart}${rule}`);
    const body = this.#exchange.isEnded ? undefined : this.#begin(incoming);
    if (body === undefined) return;
    this.#incoming = incoming;
    this.#copy(incoming, body);
    incoming.on('error', ignore);
    incoming.on('close', () => {
      if (!incoming.complete)
        this.#cutOff('the service closed the connection before its response was complete');
    });
    if (effect?.kind !== 'truncate') return void incoming.pipe(this.#response);
    // Passes on only half of the body's first chunk.
    incoming.once('data', (chunk: Buffer) => {
      const half = chunk.subarray(0, Math.floor(chunk.length / 2));
      this.#response.write(half, () => this.#cutOff(`${proxyFaultStart}${rule}`));
    });
    incoming.once('end', () => this.#response.end());
  }

  #begin(incoming: IncomingMessage): BodyCopy | undefined {
    const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = incoming;
    const { method, httpVersion } = this.#request;
    const isEmpty = method === 'HEAD' || status === 204 || status === 304;
    const headers = toClientHeaders(rawHeaders, !isEmpty && httpVersion === '1.1');
    try {
      this.#response.sendDate = false;
      this.#response.writeHead(status, reason, headers);
    } catch (error) {
      this.#fail(error);
      return undefined;
    }
    const body = new BodyCopy(this.#options.keptResponse);
    this.#exchange.response = { status, headers, body };
    return body;
  }

  #copy(body: IncomingMessage, copy: BodyCopy): void {
    if (this.#options.observers.length > 0) body.on('data', (chunk: Buffer) => copy.add(chunk));
  }

  /** Ends an exchange in which no data passed for too long, or the service could not be reached in time. */
  #endSilence(): void {
    const { origin, timeout } = this.#options;
    this.#endUnanswered({ status: 504, reason: `no data to or from ${origin} for ${timeout} ms` });
  }

  #fail(cause: unknown): void {
    // Bytes after a complete response, such as a body after a response to HEAD, are no failure.
    if (this.#incoming?.complete) return;
    if (cause instanceof Error && cause.name === 'TimeoutError') return void this.#endSilence();
    const { origin, timeout: value } = this.#options;
    const { reason } = explainFailure(cause, true, { timeout: value, option: 'timeout', value });
    this.#endUnanswered({ status: 502, reason: `${origin} gave no usable response: ${reason}` });
  }

  #endUnanswered(refusal: ProxyRefusal): void {
    if (this.#exchange.response === undefined) this.#answer('failed', refusal);
    else this.#cutOff(refusal.reason);
  }

  /** Answers in the form of the service's errors. */
  #answer(outcome: Outcome, { status, reason, retryAfter }: ProxyRefusal): void {
    if (this.#response.destroyed || !this.#exchange.end(outcome, reason)) return;
    this.#outgoing?.destroy();
    const error = { statusCode: status, message: `${proxyRefusalStart}${reason}` } satisfies ErrorBody;
    const body = Buffer.from(JSON.stringify(error));
    const wait = retryAfter === undefined ? [] : ['Retry-After', String(retryAfter)];
    const headers = [
      ...['Content-Type', 'application/json; charset=utf-8', 'Content-Length', String(body.length)],
      ...['Date', new Date().toUTCString(), ...wait, ...via],
    ];
    this.#response.writeHead(status, headers).end(body);
    const copy = new BodyCopy(body.length);
    copy.add(body);
    this.#exchange.response = { status, headers, body: copy };
    this.#request.resume();
  }

  /** Closes the client's connection, so that a partial response does not look complete. */
  #cutOff(problem: string): void {
    if (this.#exchange.end('cut-off', problem)) this.#response.destroy();
  }

  #settle(): void {
    clearTimeout(this.#delay);
    if (this.#response.writableFinished) this.#exchange.end('passed');
    else if (!this.#request.complete) this.#exchange.end('abandoned', 'the request broke off in its body');
    else this.#exchange.end('abandoned', 'the connection to the client closed early');
    if (this.#exchange.outcome !== 'passed' || !this.#request.complete) this.#outgoing?.destroy();
    // Reads the rest of the body, which precedes the next request on the connection.
    this.#request.unpipe().resume();
    for (const observe of this.#options.observers) observe(this.#exchange);
  }
}
