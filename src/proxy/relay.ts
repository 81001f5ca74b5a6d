import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from '../api/faults/faults.js';
import type { BodyCopy, CopyBudget } from './body-copy.js';
import type { Observer, Outcome } from './exchange.js';
import { ExchangeNotes, type KeptBytes } from './exchange-notes.js';
import {
  dropExpect,
  findValues,
  toClientHeaders,
  tokenHeader,
  toServiceHeaders,
  toTrailers,
} from './headers.js';
import { passHalf } from './pass-half.js';
import { answerRefusal, type ProxyRefusal, refuseFailure } from './proxy-refusal.js';
import { hasBody, readSmallBody } from './read-body.js';
import type { ProxyAgent } from './service-agent.js';
import { openServiceRequest } from './service-request.js';
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
  readonly kept: KeptBytes;
}

const retriable = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Passes one request to the service, and its response to the client. */
export class Relay {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #options: RelayOptions;
  readonly #notes: ExchangeNotes;
  #silence: NodeJS.Timeout;
  #upstream: ClientRequest | undefined;
  #fault: Fault | undefined;
  #hasLeave = false;
  #wasRetried = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: RelayOptions) {
    this.#request = request;
    this.#response = response;
    this.#options = options;
    this.#notes = new ExchangeNotes(options.budget, options.kept);
    this.#silence = this.#watchSilence();
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
    if (!this.#notes.hasHead) this.refuse(refusal);
    else this.#response.destroy();
  }

  /** Sends the request on, unless a fault rule wants otherwise. */
  send(fault: Fault | undefined): void {
    if (fault === undefined) return void this.#forward();
    this.#fault = fault;
    this.#notes.noteFault(fault.rule);
    const apply = () => this.#applyFault(fault);
    if (fault.delay === 0) apply();
    else this.#postpone(fault.delay, apply);
  }

  /** Nobody is silent meanwhile. */
  #postpone(milliseconds: number, work: () => void): void {
    clearTimeout(this.#silence);
    this.#silence = setTimeout(() => {
      this.#silence = this.#watchSilence();
      work();
    }, milliseconds);
  }

  #applyFault({ rule, effect }: Fault): void {
    const reason = describeFault(rule);
    if (effect?.kind === 'status') this.refuse({ ...effect, reason });
    else if (effect?.kind === 'drop') this.#cutOff(reason);
    else void this.#forward();
  }

  #watchSilence(): NodeJS.Timeout {
    return setTimeout(() => this.#endSilence(), this.#options.timeout);
  }

  /** Sends the request on, signed if it asks for that. */
  async #forward(): Promise<void> {
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
    this.#request.on('data', (chunk: Buffer) => this.#note(this.#notes.request, chunk));
    const body = await readSmallBody(this.#request);
    if (body === 'too large') {
      return this.refuse({ status: 413, reason: 'the body is larger than the 16 MiB that it signs' });
    }
    if (body === undefined) return;
    this.#notes.isSigned = true;
    const unexpected = dropExpect(headers);
    const signed = [...unexpected, ...signer.sign({ method, target: url, headers, body })];
    const upstream = this.#open(signed);
    upstream?.end(body);
  }

  #pass(headers: string[]): void {
    const upstream = this.#open(headers);
    if (upstream === undefined) return;
    const request = this.#request;
    if (!hasBody(this.#request)) return void upstream.end();
    request.on('data', (chunk: Buffer) => this.#note(this.#notes.request, chunk));
    request.once('end', () => {
      if (request.rawTrailers.length > 0) upstream.addTrailers(toTrailers(request.rawTrailers));
      upstream.end();
    });
    request.pipe(upstream, { end: false });
  }

  /** Opens the request to the service; `undefined` when that failed at once. */
  #open(headers: string[]): ClientRequest | undefined {
    try {
      this.#upstream = openServiceRequest(this.#request, headers, this.#options.agent, {
        onContinue: () => this.#giveLeave(),
        onEarlyHints: (link) => this.#response.writeEarlyHints({ link }),
        onUpgrade: () => this.#fail(502, 'it switched to another protocol, unasked'),
        onResponse: (received) => this.#receive(received),
        onError: (error, upstream) => this.#explain(error, upstream, headers),
      });
      return this.#upstream;
    } catch (error) {
      this.#fail(502, `the request cannot be sent (${error instanceof Error ? error.message : error})`);
      return undefined;
    }
  }

  #receive(received: IncomingMessage): void {
    if (this.#fault?.effect?.kind === 'drop-answer') this.#cutOff(describeFault(this.#fault.rule));
    else this.#begin(received);
  }

  #begin(received: IncomingMessage): void {
    const { statusCode: status = 0, statusMessage: reason = '', rawHeaders } = received;
    const response = this.#response;
    const isEmpty = this.#request.method === 'HEAD' || status === 204 || status === 304;
    const headers = toClientHeaders(rawHeaders, !isEmpty && this.#request.httpVersion === '1.1');
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
    this.#notes.noteHead({ status, reason, headers });
    received.once('end', () => this.#finish(received));
    received.once('close', () => {
      if (!received.complete) this.#cutOff('the service closed the connection within its response');
    });
    const note = (chunk: Buffer) => this.#note(this.#notes.response, chunk);
    const { rule, effect } = this.#fault ?? {};
    if (effect?.kind === 'truncate' && !isEmpty) {
      passHalf(received, response, note, () => this.#notes.end('cut-off', describeFault(rule)));
    } else {
      received.on('data', note);
      received.pipe(response, { end: false });
    }
    // A short body goes out with the head, in one write; a service that takes its time holds no head back.
    setImmediate(() => {
      if (!response.writableEnded && !response.destroyed) response.flushHeaders();
    });
  }

  #finish(received: IncomingMessage): void {
    if (!received.complete || !this.#notes.end('passed')) return;
    const response = this.#response;
    if (received.rawTrailers.length > 0) response.addTrailers(toTrailers(received.rawTrailers));
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
    if (upstream !== this.#upstream || this.#notes.outcome !== undefined) return;
    if (this.#mayRetry(upstream)) {
      this.#wasRetried = true;
      this.#open(headers)?.end();
      return;
    }
    const { status, reason } = refuseFailure(error, this.#options.timeout);
    this.#fail(status, reason);
  }

  /** The service may close a connection while it is unused, and a request that changes nothing is on its way. */
  #mayRetry({ reusedSocket }: ClientRequest): boolean {
    const { method = '' } = this.#request;
    return (
      reusedSocket &&
      !this.#wasRetried &&
      !this.#notes.hasHead &&
      retriable.has(method) &&
      !hasBody(this.#request)
    );
  }

  #endSilence(): void {
    const { timeout } = this.#options;
    const isOfClient = !this.#request.complete && this.#upstream?.writableNeedDrain !== true;
    if (this.#notes.hasHead) {
      if (this.#response.writableNeedDrain) this.#response.destroy();
      else this.#cutOff(`the service sent nothing for ${timeout} ms within its response`);
    } else if (isOfClient && hasBody(this.#request) && !this.#awaitsLeave()) {
      this.#answer('refused', { status: 408, reason: `the client sent nothing for ${timeout} ms` });
    } else this.#fail(504, `no response within ${timeout} ms`);
  }

  #fail(status: 502 | 504, reason: string): void {
    if (this.#notes.hasHead) this.#cutOff(reason);
    else this.#answer('failed', { status, reason: `${this.#options.origin} gave no response: ${reason}` });
  }

  #answer(outcome: Outcome, refusal: ProxyRefusal): void {
    if (!this.#notes.end(outcome, refusal.reason)) return;
    this.#leaveService();
    const { headers, body, reason } = answerRefusal(this.#response, refusal);
    this.#notes.response.add(Buffer.from(body));
    this.#notes.noteHead({ status: refusal.status, reason, headers });
  }

  /** Closes the client's connection, so that it does not take what it has for the whole response. */
  #cutOff(problem: string): void {
    if (this.#notes.end('cut-off', problem)) this.#response.destroy();
  }

  #leaveService(): void {
    if (this.#upstream === undefined) return;
    this.#request.unpipe(this.#upstream);
    this.#upstream.on('error', () => undefined).destroy();
  }

  #settle(): void {
    clearTimeout(this.#silence);
    const notes = this.#notes;
    if (!this.#response.writableFinished && notes.outcome !== 'cut-off') notes.abandon();
    if (notes.outcome !== 'passed' || !this.#request.complete) this.#leaveService();
    const { observers } = this.#options;
    if (observers.length === 0) return;
    const exchange = notes.toExchange(this.#request);
    for (const observe of observers) observe(exchange);
  }
}

function describeFault(rule: string | undefined): string {
  return `a fault rule hit it: ${rule}`;
}
