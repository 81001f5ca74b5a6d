import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import { proxyFaultStart } from '../api/error-message.js';
import type { Fault } from '../api/faults/faults.js';
import { maxHeaderSize } from '../client/network/direct-sender.js';
import { defaultMaxBodyBytes } from '../client/signing/body-bytes.js';
import type { BodyCopy } from './body.js';
import { ExchangeNotes, type KeptBytes, type Observer, type Outcome } from './exchange.js';
import { findValues, toClientHeaders, tokenHeader, toServiceHeaders } from './headers.js';
import { answerRefusal, type ProxyRefusal, refuseFailure, refuseSilence } from './refusal.js';
import { hasCredential, isToken, type Signer } from './signer.js';

export interface RelayOptions {
  /** Opens the connections to the service. */
  readonly agent: Agent;
  readonly origin: string;
  /** Maximum milliseconds without data from the service or the client. */
  readonly timeout: number;
  readonly signer: Signer | undefined;
  readonly observers: readonly Observer[];
  readonly kept: KeptBytes;
}

/** Errors need no handling: `close` follows each, and ends the exchange. */
const ignore = () => undefined;

/** Forwards one request to the service, and its response to the client. */
export class Relay {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: RelayOptions;
  readonly #notes: ExchangeNotes;
  #outgoing: ClientRequest | undefined;
  #incoming: IncomingMessage | undefined;
  #fault: Fault | undefined;
  #delay: NodeJS.Timeout | undefined;

  constructor(request: IncomingMessage, response: ServerResponse, options: RelayOptions) {
    this.#request = request.on('error', ignore);
    this.#response = response.on('error', ignore);
    this.#options = options;
    this.#notes = new ExchangeNotes(options.kept);
    response.on('close', () => this.#settle());
  }

  refuse(refusal: ProxyRefusal): void {
    this.#answer('refused', refusal);
  }

  /** Forwards the request or applies the fault. Some faults delay the request or apply to the response. */
  send(fault: Fault | undefined): void {
    if (fault === undefined) return void this.#forward();
    this.#fault = fault;
    this.#notes.fault = fault.rule;
    this.#delay = setTimeout(() => this.#applyFault(fault), fault.delay);
  }

  #applyFault({ rule, effect }: Fault): void {
    const reason = `${proxyFaultStart}${rule}`;
    if (effect?.kind === 'status') this.refuse({ ...effect, reason });
    else if (effect?.kind === 'drop' || effect?.kind === 'reset') this.#cutOff(reason);
    else this.#forward();
  }

  /** Forwards the request, signed if it has the token and no credential. */
  #forward(): void {
    const { method = '', rawHeaders } = this.#request;
    const { signer, origin } = this.#options;
    const headers = toServiceHeaders(method, rawHeaders, new URL(origin).host);
    const given = findValues(rawHeaders, tokenHeader.toLowerCase());
    this.#copy(this.#request, this.#notes.request);
    if (signer !== undefined && given.length > 0) {
      const reason = `the ${tokenHeader} header has a wrong token`;
      if (!isToken(given, signer)) return void this.refuse({ status: 403, reason });
      if (!hasCredential(rawHeaders)) return void this.#sign(signer, headers);
    }
    const outgoing = this.#open(headers);
    if (outgoing !== undefined) this.#request.pipe(outgoing);
  }

  #sign(signer: Signer, headers: string[]): void {
    const { method = '', url = '' } = this.#request;
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
      this.#notes.isSigned = true;
      const signed = [...headers, ...signer.sign({ method, target: url, headers, body })];
      this.#open(signed)?.end(body);
    };
    this.#request.on('data', take).on('end', end);
  }

  /** Opens the request to the service; `undefined` if the request cannot be sent. */
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
      outgoing.on('timeout', () => this.#endSilence(outgoing));
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
    if (this.#notes.outcome !== undefined || !this.#begin(incoming)) return;
    this.#incoming = incoming;
    this.#copy(incoming, this.#notes.response);
    incoming.on('error', ignore);
    incoming.on('close', () => {
      if (!incoming.complete)
        this.#cutOff('the service closed the connection before its response was complete');
    });
    if (effect?.kind === 'truncate') this.#passHalf(incoming, `${proxyFaultStart}${rule}`);
    else incoming.pipe(this.#response);
  }

  #begin({ statusCode: status = 0, statusMessage: reason = '', rawHeaders }: IncomingMessage): boolean {
    const { method, httpVersion } = this.#request;
    const isEmpty = method === 'HEAD' || status === 204 || status === 304;
    const headers = toClientHeaders(rawHeaders, !isEmpty && httpVersion === '1.1');
    try {
      this.#response.sendDate = false;
      this.#response.writeHead(status, reason, headers);
    } catch (error) {
      this.#fail(error);
      return false;
    }
    this.#notes.head = { status, headers };
    return true;
  }

  /** Sends half of the body's first chunk, then closes the connection. */
  #passHalf(incoming: IncomingMessage, problem: string): void {
    incoming.once('data', (chunk: Buffer) => {
      const half = chunk.subarray(0, Math.floor(chunk.length / 2));
      this.#response.write(half, () => this.#cutOff(problem));
    });
    incoming.once('end', () => this.#response.end());
  }

  #copy(body: IncomingMessage, copy: BodyCopy): void {
    if (this.#options.observers.length > 0) body.on('data', (chunk: Buffer) => copy.add(chunk));
  }

  /** The connection to the service has been silent for too long: because of the service, or of the client. */
  #endSilence({ writableNeedDrain }: ClientRequest): void {
    const { origin, timeout } = this.#options;
    if (this.#notes.head === undefined) {
      if (this.#request.complete || writableNeedDrain) this.#answer('failed', refuseSilence(origin, timeout));
      else {
        this.#response.shouldKeepAlive = false;
        this.refuse({ status: 408, reason: `the client sent nothing for ${timeout} ms` });
      }
    } else if (this.#response.writableNeedDrain) {
      this.#notes.end(
        'abandoned',
        `the proxy closed the connection: the client read nothing for ${timeout} ms`,
      );
      this.#response.destroy();
    } else this.#cutOff(`the service sent nothing for ${timeout} ms before its response was complete`);
  }

  #fail(cause: unknown): void {
    // Bytes after a complete response, such as a body after a response to HEAD, are no failure.
    if (this.#incoming?.complete) return;
    const error = cause instanceof Error ? cause : new Error(String(cause));
    const { origin, timeout } = this.#options;
    const refusal = refuseFailure(error, origin, timeout);
    if (this.#notes.head !== undefined) this.#cutOff(refusal.reason);
    else this.#answer('failed', refusal);
  }

  #answer(outcome: Outcome, refusal: ProxyRefusal): void {
    if (this.#response.destroyed || !this.#notes.end(outcome, refusal.reason)) return;
    this.#outgoing?.destroy();
    const { headers, body } = answerRefusal(this.#response, refusal);
    this.#notes.response.add(body);
    this.#notes.head = { status: refusal.status, headers };
    this.#request.resume();
  }

  /** Closes the client's connection, so that a partial response does not look complete. */
  #cutOff(problem: string): void {
    if (this.#notes.end('cut-off', problem)) this.#response.destroy();
  }

  #settle(): void {
    clearTimeout(this.#delay);
    const notes = this.#notes;
    if (this.#response.writableFinished) notes.end('passed');
    else notes.end('abandoned', 'the connection to the client closed early');
    if (notes.outcome !== 'passed' || !this.#request.complete) this.#outgoing?.destroy();
    // Reads the rest of the body, which precedes the next request on the connection.
    this.#request.unpipe().resume();
    const { observers } = this.#options;
    if (observers.length === 0) return;
    const exchange = notes.toExchange(this.#request);
    for (const observe of observers) observe(exchange);
  }
}
