import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, onRequestHookHandler, onSendHookHandler } from 'fastify';
import { exchangeOf, type Recorder } from '../journal/recorder.js';
import { HttpError } from '../pipeline/http-error.js';
import type { Fault, Faults } from './faults.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The effect of the rules that hit it. */
    fault: Fault | null;
  }
}

export interface FaultOptions {
  readonly faults: Faults;
  readonly recorder: Recorder;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Does something for a request after so many milliseconds, if there is still somebody to answer then. */
  readonly postpone: (response: ServerResponse, milliseconds: number, work: () => void) => void;
}

/**
 * The hook that applies faults to a request before the service looks at it, as a flaky network or proxy would [ours].
 * What needs an answer to be applied to is left to `spoilAnswer`.
 */
export function applyFaults({ faults, recorder, clock, postpone }: FaultOptions): onRequestHookHandler {
  return (request, reply, done) => {
    const fault = faults.next(request.method, request.originalUrl);
    if (fault === undefined) return done();
    request.fault = fault;
    const apply = () => {
      const { effect } = fault;
      if (effect?.kind === 'drop') {
        recorder.record(exchangeOf(request, undefined, clock()), refusal(fault, 503));
        // Without `done` nothing more happens to this request.
        request.raw.socket.destroy();
      } else {
        done(effect?.kind === 'status' ? refusal(fault, effect.status, effect.retryAfter) : undefined);
      }
    };
    if (fault.delay === 0) apply();
    else postpone(reply.raw, fault.delay, apply);
  };
}

function refusal({ rule }: Fault, status: number, retryAfter?: number): HttpError {
  return new HttpError(status, undefined, {
    check: 'fault',
    explain: () => ({ reason: `a fault rule hit it: ${rule}` }),
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  });
}

/**
 * The hook that spoils the answer of a request that was done: instead of it the connection is cut, or cut in the middle
 * of its body. An answer without a body has none to cut off and goes out whole.
 */
export const spoilAnswer: onSendHookHandler = ({ fault }, reply, payload, done) => {
  const kind = fault?.effect?.kind;
  if (kind === 'drop-answer') {
    // Without `done` nothing more happens to this answer.
    reply.raw.destroy();
  } else if (kind === 'truncate' && typeof payload === 'string' && payload !== '') {
    sendHalf(reply, Buffer.from(payload));
  } else if (kind === 'truncate' && payload instanceof Readable) {
    done(null, Readable.from(beginningOf(payload, reply.raw), { objectMode: false }));
  } else {
    done();
  }
};

/** What a streamed answer begins with; then its connection is cut. */
async function* beginningOf(payload: Readable, raw: ServerResponse): AsyncGenerator<unknown> {
  for await (const chunk of payload) {
    yield chunk;
    // What was handed out has been written by then.
    await setImmediate();
    raw.destroy();
    return;
  }
}

function sendHalf(reply: FastifyReply, body: Buffer): void {
  const { raw } = reply;
  const half = body.subarray(0, Math.floor(body.byteLength / 2));
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined) raw.setHeader(name, value);
  }
  raw.writeHead(reply.statusCode, { 'content-length': body.byteLength });
  raw.write(half, () => raw.destroy());
}
