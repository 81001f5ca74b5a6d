import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { elapsedSince } from '../journal/elapsed.js';
import type { Recorder } from '../journal/recorder.js';
import { unrouted } from '../journal/unrouted.js';
import { errorBody } from '../pipeline/error-body.js';
import type { FaultEffect } from './fault-rule.js';
import type { Faults, PendingFault } from './faults.js';

export interface FaultyListenerOptions {
  readonly faults: Faults;
  readonly recorder: Recorder;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Whether a target belongs to the service, and not to what steers the server. */
  readonly isService: (target: string) => boolean;
  /** Does something for a request after so many milliseconds, if there is still somebody to answer then. */
  readonly postpone: (response: ServerResponse, milliseconds: number, work: () => void) => void;
}

/**
 * Has faults happen to requests before the server looks at them, as on a flaky network or behind a flaky proxy [ours]:
 * before authentication, and for the effects that need an answer, in place of it.
 */
export function faultyListener(listener: RequestListener, options: FaultyListenerOptions): RequestListener {
  const { faults, isService } = options;
  return (request, response) => {
    const { method = '', url = '/' } = request;
    const fault = isService(url) ? faults.next(method, url) : undefined;
    if (fault === undefined) return listener(request, response);
    const pending = { ...fault, arrivedAt: performance.now() };
    faults.keep(request, pending);
    const go = () => befall(request, response, pending, listener, options);
    if (fault.delay === 0) return go();
    options.postpone(response, fault.delay, go);
  };
}

function befall(
  request: IncomingMessage,
  response: ServerResponse,
  fault: PendingFault,
  listener: RequestListener,
  options: FaultyListenerOptions,
): void {
  const { effect } = fault;
  if (effect?.kind === 'status') {
    note(request, fault, effect.status, options);
    answer(response, effect, options.clock());
  } else if (effect?.kind === 'drop') {
    note(request, fault, undefined, options);
    request.socket.destroy();
  } else {
    listener(request, response);
  }
}

function answer(
  response: ServerResponse,
  { status, retryAfter }: Extract<FaultEffect, { kind: 'status' }>,
  now: number,
): void {
  const body = JSON.stringify(errorBody(status));
  if (retryAfter !== undefined) response.setHeader('retry-after', retryAfter);
  response.writeHead(status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    date: new Date(now).toUTCString(),
  });
  response.end(body);
}

function note(
  request: IncomingMessage,
  { rule, arrivedAt }: PendingFault,
  status: number | undefined,
  { recorder, clock }: FaultyListenerOptions,
): void {
  recorder.record(
    unrouted(request, { time: clock(), status, milliseconds: elapsedSince(arrivedAt), fault: rule }),
    { check: 'fault', message: `a fault rule hit it: ${rule}` },
  );
}
