import type { FastifyRequest, onSendHookHandler } from 'fastify';
import { parseBasicAuthorization } from '../../signing/index.js';
import { claimedKeyId } from '../explain/key-name.js';
import type { Faults } from '../faults/faults.js';
import { elapsedSince } from './elapsed.js';
import type { Recorder } from './recorder.js';

export interface RecordOptions {
  readonly recorder: Recorder;
  readonly faults: Faults;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
}

/** The hook that notes each request to the service when its answer is ready. */
export function recordExchange({ recorder, faults, clock }: RecordOptions): onSendHookHandler {
  return (request, reply, _payload, done) => {
    const fault = faults.pendingFor(request.raw);
    const arrivedAt = fault?.arrivedAt ?? request.arrivedAt;
    recorder.record(
      {
        time: clock(),
        method: request.method,
        target: request.originalUrl,
        status: reply.statusCode,
        milliseconds: elapsedSince(arrivedAt),
        rawHeaders: request.raw.rawHeaders,
        body: request.bytes ?? undefined,
        keyId: request.key?.keyId ?? claimed(request),
        organization: request.key?.organizationId,
        fault: fault?.rule,
      },
      request.refusal ?? undefined,
    );
    done();
  };
}

/** The key ID that a refused request claims. */
function claimed({ headers }: FastifyRequest): string | undefined {
  const { authorization, 'x-api-key': key } = headers;
  const basic = authorization === undefined ? undefined : parseBasicAuthorization(authorization);
  return claimedKeyId(typeof key === 'string' ? key : basic?.keyId);
}
