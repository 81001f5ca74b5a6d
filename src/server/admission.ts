import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyCredential } from '../storage/api-keys.js';
import { authenticate, requireEnabled } from './authentication/authenticate.js';
import type { Authenticator } from './authentication/authenticator.js';
import { notFound, payloadTooLarge } from './http-error.js';
import type { RateLimiter } from './rate-limit/rate-limiter.js';
import { receiveBody } from './receive-body.js';
import type { UsageRecorder } from './usage-recorder.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that the request is authenticated with; null until it is. */
    key: KeyCredential | null;
    /** The body as received; null when it was too large. */
    bytes: Buffer | null;
    /** When the request arrived, by `performance.now()`. */
    arrivedAt: number;
  }
}

export interface AdmissionOptions {
  readonly authenticators: readonly Authenticator[];
  readonly usage: UsageRecorder;
  readonly rateLimiter: RateLimiter;
}

/**
 * The hook that every request of the service passes, in the order of the contract: credentials, key, timestamp,
 * signature or secret, disabled, rate limit, route, body.
 * @throws HttpError when it does not pass.
 */
export function admission({ authenticators, usage, rateLimiter }: AdmissionOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    request.arrivedAt = performance.now();
    const received = receiveBody(request.raw);
    const body = received instanceof Promise ? await received : received;
    // The rest of such a body would be taken for the next request.
    if (body === 'too large') reply.header('connection', 'close');
    else request.bytes = body;
    request.key = await authenticate(authenticators, {
      method: request.method,
      target: Buffer.from(request.originalUrl, 'latin1'),
      headers: request.headers,
      body,
    });
    requireEnabled(request.key);
    usage.record(request.key.keyId);
    rateLimiter.admit(request.key.keyId);
    if (request.is404) throw notFound();
    if (body === 'too large') throw payloadTooLarge();
  };
}
