import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import type { FastifyReply, onRequestHookHandler, onSendHookHandler } from 'fastify';
import type { Fault, Faults } from '../../api/faults/faults.js';
import { HttpError } from '../http/http-error.js';
import type { Targets } from '../http/url-space.js';
import { type Recorder, toExchange } from '../journal/recorder.js';

declare module 'fastify' {
  interface FastifyRequest {
    fault: Fault | null;
  }
}

export interface FaultOptions {
  readonly faults: Faults;
  readonly recorder: Recorder;
  readonly targets: Targets;
  readonly clock: () => number;
  readonly postpone: (response: ServerResponse, milliseconds: number, work: () => void) => void;
}

/** Applies faults before the service sees a request, as a flaky network would; `spoilAnswer` spoils responses. */
export function applyFaults({
  faults,
  recorder,
  targets,
  clock,
  postpone,
}: FaultOptions): onRequestHookHandler {
  return (request, reply, done) => {
    const fault = faults.next(request.method, targets.toLocal(request.originalUrl));
    if (fault === undefined) return done();
    request.fault = fault;
    const apply = () => {
      const { effect } = fault;
      if (effect?.kind === 'drop') {
        recorder.record(toExchange(request, undefined, clock()), faultRefusal(fault, 503));
        // Not calling `done` ends the request here.
        request.raw.socket.destroy();
      } else {
        done(effect?.kind === 'status' ? faultRefusal(fault, effect.status, effect.retryAfter) : undefined);
      }
    };
    if (fault.delay === 0) apply();
    else postpone(reply.raw, fault.delay, apply);
  };
}

function faultRefusal({ rule }: Fault, status: number, retryAfter?: number): HttpError {
  return new HttpError(status, undefined, {
    check: 'fault',
    explain: () => ({ reason: `a fault rule applied: ${rule}` }),
    ...(retryAfter !== undefined && { headers: { 'retry-after': String(retryAfter) } }),
  });
}

/** Cuts the connection before a response or in the middle of its body, if the request's fault says so. */
export const spoilAnswer: onSendHookHandler = ({ fault, method }, reply, payload, done) => {
  const kind = fault?.effect?.kind;
  if (kind === 'drop-answer') {
    reply.raw.destroy();
  } else if (method === 'HEAD') {
    done();
  } else if (kind === 'truncate' && typeof payload === 'string' && payload !== '') {
    sendHalf(reply, Buffer.from(payload));
  } else if (kind === 'truncate' && payload instanceof Readable) {
    done(null, Readable.from(readBeginning(payload, reply.raw), { objectMode: false }));
  } else {
    done();
  }
};

async function* readBeginning(payload: Readable, raw: ServerResponse): AsyncGenerator<unknown> {
  for await (const chunk of payload) {
    yield chunk;
    // Gives the stream a turn to write the first part.
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
