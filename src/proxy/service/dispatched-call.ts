import type { IncomingMessage } from 'node:http';
import type { Dispatcher } from 'undici';
import { findValues } from './headers.js';
import type { ProxyAgent } from './service-agent.js';
import { type ServiceCall, type ServiceEvents, switched } from './service-call.js';

/** Methods that usually have no body, and to which undici adds no `Content-Length: 0`. */
const methods = new Set(['GET', 'DELETE']);
const ofBodies = ['content-length', 'transfer-encoding', 'expect', 'trailer'];

/** Whether undici sends a request unchanged, except for the position of `Host`. */
export function isDispatchable({
  method = '',
  headers,
}: Pick<IncomingMessage, 'method' | 'headers'>): boolean {
  return methods.has(method) && ofBodies.every((name) => headers[name] === undefined);
}

/** A request without a body, sent by undici. */
export class DispatchedCall implements ServiceCall, Dispatcher.DispatchHandler {
  readonly isFull = false;
  readonly #agent: ProxyAgent;
  readonly #events: ServiceEvents;
  #controller: Dispatcher.DispatchController | undefined;
  #wasReused = false;
  #isOver = false;

  constructor(agent: ProxyAgent, events: ServiceEvents) {
    this.#agent = agent;
    this.#events = events;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    // The client left while the call waited for a connection; throwing here keeps the connection open.
    if (this.#isOver) throw new Error('no client waits for the response');
    this.#controller = controller;
    this.#wasReused = !this.#agent.hasJustConnected;
  }

  onResponseStart(
    { rawHeaders: raw }: Dispatcher.DispatchController,
    status: number,
    _headers: unknown,
    reason = '',
  ): void {
    const rawHeaders = toText(raw);
    if (status >= 200) this.#events.onHead({ status, reason: toBytes(reason), rawHeaders });
    else if (status === 103) this.#events.onEarlyHints(findValues(rawHeaders, 'link'));
  }

  onResponseData(_controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (!this.#isOver) this.#events.onData(chunk);
  }

  onResponseEnd({ rawTrailers }: Dispatcher.DispatchController): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#events.onEnd(toText(rawTrailers));
  }

  onResponseError(_controller: Dispatcher.DispatchController, error: Error): void {
    if (this.#isOver) return;
    this.#isOver = true;
    const isUpgrade = error.message === 'bad upgrade';
    // undici fails on an unsolicited 100 Continue; Node's client does not.
    const isInterim = error.message === 'bad response';
    if (isInterim) this.#agent.sendsContinue = true;
    this.#events.onError(isUpgrade ? new Error(switched) : error, this.#wasReused || isInterim);
  }

  pause(): void {
    this.#controller?.pause();
  }

  resume(): void {
    this.#controller?.resume();
  }

  abandon(): void {
    if (this.#isOver) return;
    this.#isOver = true;
    this.#controller?.abort(new Error('no client waits for the response'));
  }
}

/** undici reads a reason phrase as UTF-8, but Node writes each of its characters as one byte. */
function toBytes(reason: string): string {
  return /^[\t -~]*$/.test(reason) ? reason : Buffer.from(reason).toString('latin1');
}

function toText(raw: Dispatcher.DispatchController['rawHeaders']): string[] {
  if (!Array.isArray(raw)) return [];
  return raw.map((each) => (typeof each === 'string' ? each : each.toString('latin1')));
}
