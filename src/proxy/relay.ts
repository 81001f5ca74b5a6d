import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Fault } from '../api/faults/faults.js';
import type { BodyCopy, CopyBudget } from './body-copy.js';
import { ClientResponse } from './client-response.js';
import type { Observer, Outcome } from './exchange.js';
import { describeFault, ExchangeNotes, type KeptBytes } from './exchange-notes.js';
import { sendContinue, sendEarlyHints } from './interim-response.js';
import { answerRefusal, type ProxyRefusal, refuseFailure } from './proxy-refusal.js';
import { hasBody, readSmallBody } from './read-body.js';
import { DispatchedCall, isDispatchable } from './service/dispatched-call.js';
import {
  asksToClose,
  dropExpect,
  findValues,
  type RawHeaders,
  toClientHeaders,
  tokenHeader,
  toServiceHeaders,
  toTrailers,
} from './service/headers.js';
import type { ProxyAgent } from './service/service-agent.js';
import type { ServiceCall, ServiceEvents, ServiceHead } from './service/service-call.js';
import { StreamedCall } from './service/streamed-call.js';
import { isToken, type Signer, wantsSignature } from './sign-request.js';
import { SilenceTimer } from './silence-timer.js';

export interface RelayOptions {
  readonly agent: ProxyAgent;
  readonly origin: string;
  /** Maximum milliseconds without data from the service or the client. */
  readonly timeout: number;
  readonly signer: Signer | undefined;
  readonly observers: readonly Observer[];
  /** Absent without observers. */
  readonly budget: CopyBudget | undefined;
  readonly kept: KeptBytes;
}

const retriable = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Errors need no handling: `close` follows each, and ends the exchange. */
const ignore = () => undefined;

/** Forwards one request to the service, and its response to the client. */
export class Relay implements ServiceEvents {
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #client: ClientResponse;
  readonly #options: RelayOptions;
  readonly #notes: ExchangeNotes;
  readonly #silence: SilenceTimer;
  #call: ServiceCall | undefined;
  #headers: string[] = [];
  #fault: Fault | undefined;
  #hasLeave = false;
  #wasRetried = false;

  constructor(request: IncomingMessage, response: ServerResponse, options: RelayOptions) {
    this.#request = request;
    this.#response = response;
    this.#client = new ClientResponse(response);
    this.#options = options;
    this.#notes = new ExchangeNotes(options.budget, options.kept);
    this.#silence = new SilenceTimer(options.timeout, () => this.#endSilence());
    request.on('error', ignore);
    response.on('error', ignore);
    response.on('close', () => this.#settle());
  }

  refuse(refusal: ProxyRefusal): void {
    this.#answer('refused', refusal);
  }

  /** Ends an exchange whose request body is malformed, so that the service never gets the end of the body. */
  breakOff(refusal: ProxyRefusal): void {
    if (this.#notes.outcome === 'refused') return;
    if (!this.#notes.hasHead) return void this.refuse(refusal);
    this.#notes.clientFault = refusal.reason;
    this.#response.destroy();
  }

  /** Forwards the request or applies the fault. Some faults delay the request or apply to the response. */
  send(fault: Fault | undefined): void {
    if (fault === undefined) return void this.#forward();
    this.#fault = fault;
    this.#notes.noteFault(fault.rule);
    const apply = () => this.#applyFault(fault);
    if (fault.delay === 0) apply();
    else this.#silence.postpone(fault.delay, apply);
  }

  #applyFault({ rule, effect }: Fault): void {
    const reason = describeFault(rule);
    if (effect?.kind === 'status') this.refuse({ ...effect, reason });
    else if (effect?.kind === 'drop') this.#cutOff(reason);
    else void this.#forward();
  }

  /** Forwards the request, signed if it has the token and no credential. */
  async #forward(): Promise<void> {
    const { rawHeaders } = this.#request;
    const { signer, agent } = this.#options;
    const headers = toServiceHeaders(rawHeaders, agent.authority);
    const given = findValues(rawHeaders, tokenHeader.toLowerCase());
    if (signer === undefined || given.length === 0) return this.#pass(headers);
    if (!isToken(given, signer)) {
      return this.refuse({ status: 403, reason: `the ${tokenHeader} header has a wrong token` });
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
      return this.refuse({ status: 413, reason: 'the body is larger than 16 MiB, the limit for signing' });
    }
    if (body === undefined) return;
    this.#notes.isSigned = true;
    const unexpected = dropExpect(headers);
    const signed = [...unexpected, ...signer.sign({ method, target: url, headers, body })];
    this.#openStreamed(signed)?.end(body);
  }

  #pass(headers: string[]): void {
    if (!hasBody(this.#request)) return void this.#passWithoutBody(headers);
    this.#notes.request.expect(Number(this.#request.headers['content-length'] ?? 0));
    this.#request.on('data', (chunk: Buffer) => this.#note(this.#notes.request, chunk));
    this.#openStreamed(headers)?.sendBodyOf(this.#request);
  }

  #passWithoutBody(headers: string[]): void {
    const { method = '', url = '' } = this.#request;
    this.#headers = headers;
    const { agent } = this.#options;
    if (agent.sendsContinue || !isDispatchable(this.#request)) {
      return void this.#openStreamed(headers)?.end();
    }
    const call = new DispatchedCall(agent, this);
    this.#call = call;
    agent.dispatch({ method, url }, headers, call);
  }

  /** Opens the request to the service; `undefined` if the request cannot be sent. */
  #openStreamed(headers: string[]): StreamedCall | undefined {
    try {
      const call = new StreamedCall(this.#request, headers, this.#options.agent, this);
      this.#call = call;
      return call;
    } catch (error) {
      this.#fail(502, `the request cannot be sent (${error instanceof Error ? error.message : error})`);
      return undefined;
    }
  }

  onContinue(): void {
    this.#giveLeave();
  }

  onEarlyHints(link: string | string[]): void {
    sendEarlyHints(this.#response, link);
  }

  onHead(head: ServiceHead): void {
    if (this.#fault?.effect?.kind === 'drop-answer') this.#cutOff(describeFault(this.#fault.rule));
    else this.#begin(head);
  }

  #begin({ status, reason, rawHeaders }: ServiceHead): void {
    const headers = toClientHeaders(
      rawHeaders,
      !this.#isEmpty(status) && this.#request.httpVersion === '1.1',
    );
    // A body that the client sends late, without 100 Continue, could be taken for the next request.
    if (this.#awaitsLeave() || asksToClose(rawHeaders)) this.#response.shouldKeepAlive = false;
    try {
      this.#client.begin(status, reason, headers);
    } catch {
      this.#fail(502, 'the response is not valid HTTP');
      return;
    }
    this.#notes.noteHead({ status, reason, headers });
  }

  #isEmpty(status: number): boolean {
    return this.#request.method === 'HEAD' || status === 204 || status === 304;
  }

  onData(chunk: Buffer): void {
    if (!this.#notes.hasHead) return;
    if (this.#fault?.effect?.kind === 'truncate') return void this.#passHalf(chunk, this.#fault);
    this.#note(this.#notes.response, chunk);
    if (!this.#client.write(chunk, () => this.#call?.resume())) this.#call?.pause();
  }

  /** Sends half of the body's first chunk, then closes the connection. */
  #passHalf(chunk: Buffer, { rule }: Fault): void {
    if (!this.#notes.end('cut-off', describeFault(rule))) return;
    this.#call?.pause();
    const half = chunk.subarray(0, Math.floor(chunk.length / 2));
    this.#note(this.#notes.response, half);
    this.#response.write(half, () => this.#response.destroy());
  }

  onEnd(rawTrailers: RawHeaders): void {
    if (!this.#notes.end('passed')) return;
    this.#client.end(rawTrailers.length === 0 ? [] : toTrailers(rawTrailers));
  }

  onCut(): void {
    this.#cutOff('the service closed the connection before its response was complete');
  }

  onError(error: Error, isRepeatable: boolean): void {
    if (this.#notes.outcome !== undefined) return;
    if (isRepeatable && this.#mayRepeat()) {
      this.#wasRetried = true;
      this.#passWithoutBody(this.#headers);
      return;
    }
    const { status, reason } = refuseFailure(error, this.#options.timeout);
    this.#fail(status, reason);
  }

  #giveLeave(): void {
    this.#hasLeave = true;
    sendContinue(this.#response);
  }

  /** Whether the client awaits 100 Continue. */
  #awaitsLeave(): boolean {
    return this.#request.headers.expect !== undefined && !this.#request.complete && !this.#hasLeave;
  }

  #note(copy: BodyCopy, chunk: Buffer): void {
    copy.add(chunk);
    this.#silence.refresh();
  }

  /** The service may have closed an idle connection; a request that changes nothing is safe to repeat. */
  #mayRepeat(): boolean {
    const { method = '' } = this.#request;
    return !this.#wasRetried && !this.#notes.hasHead && retriable.has(method) && !hasBody(this.#request);
  }

  #endSilence(): void {
    const { timeout } = this.#options;
    const isOfClient = !this.#request.complete && this.#call?.isFull !== true;
    if (this.#notes.hasHead) {
      if (this.#response.writableNeedDrain) {
        this.#notes.clientFault = `the client read nothing for ${timeout} ms`;
        this.#response.destroy();
      } else this.#cutOff(`the service sent nothing for ${timeout} ms before its response was complete`);
    } else if (isOfClient && hasBody(this.#request) && !this.#awaitsLeave()) {
      this.#answer('refused', { status: 408, reason: `the client sent nothing for ${timeout} ms` });
    } else {
      const reason = `${this.#options.origin} gave no response within ${timeout} ms`;
      this.#answer('failed', { status: 504, reason });
    }
  }

  #fail(status: 502 | 504, reason: string): void {
    if (this.#notes.hasHead) this.#cutOff(reason);
    else
      this.#answer('failed', {
        status,
        reason: `${this.#options.origin} gave no usable response: ${reason}`,
      });
  }

  #answer(outcome: Outcome, refusal: ProxyRefusal): void {
    if (!this.#notes.end(outcome, refusal.reason)) return;
    this.#call?.abandon();
    const { headers, body, reason } = answerRefusal(this.#response, refusal);
    this.#notes.response.add(Buffer.from(body));
    this.#notes.noteHead({ status: refusal.status, reason, headers });
  }

  /** Closes the client's connection, so that a partial response does not look complete. */
  #cutOff(problem: string): void {
    if (this.#notes.end('cut-off', problem)) this.#response.destroy();
  }

  #settle(): void {
    this.#silence.stop();
    const notes = this.#notes;
    if (!this.#response.writableFinished && notes.outcome !== 'cut-off') notes.abandon();
    if (notes.outcome !== 'passed' || !this.#request.complete) this.#call?.abandon();
    // Reads the rest of the body, which precedes the next request on the connection.
    this.#request.removeAllListeners('data').resume();
    const { observers } = this.#options;
    if (observers.length === 0) return;
    const exchange = notes.toExchange(this.#request);
    for (const observe of observers) observe(exchange);
  }
}
