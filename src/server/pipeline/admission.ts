import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { Store } from '../../storage/store.js';
import type { Authenticator, Claim, ReceivedBody } from '../authentication/authenticator.js';
import { readClaim, requireEnabled } from '../authentication/authenticator.js';
import type { Control } from '../control/control.js';
import { type HeldBytes, tooMuchHeld } from './held-bytes.js';
import { notFound, payloadTooLarge } from './http-error.js';
import type { RequestLimiter } from './rate-limiter.js';
import { receiveBody } from './receive-body.js';
import type { UsageRecorder } from './usage-recorder.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that the request is authenticated with; null until it is. */
    key: KeyCredential | null;
    /** The body as received; null when it was too large. */
    bytes: Buffer | null;
  }
}

const notAscii = /[^\0-\x7f]/;

export interface AdmissionOptions {
  readonly store: Pick<Store, 'apiKeys'>;
  readonly authenticators: readonly Authenticator[];
  readonly usage: UsageRecorder;
  readonly rateLimiter: RequestLimiter;
  readonly held: HeldBytes;
  readonly control: Control;
}

/**
 * The hook that every request of the service passes, in the order of the contract: credentials, key, timestamp,
 * signature or secret, disabled, rate limit, route, body.
 * @throws HttpError when it does not pass.
 */
export function admission(options: AdmissionOptions) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    // No await if the key is in memory: it would cost the request a turn.
    const receiving = receiveBody(reply.raw, options.held);
    const body = receiving instanceof Promise ? await receiving : receiving;
    // Otherwise the rest of the body would be taken for the next request.
    if (body === 'too large') reply.header('connection', 'close');
    else request.bytes = body;
    const claim = claimOf(request, body, options);
    const { apiKeys } = options.store;
    const key = claim.verify(apiKeys.keptCredential(claim.keyId) ?? (await apiKeys.credential(claim.keyId)));
    request.key = key;
    requireEnabled(key, () => options.control.status().console);
    options.usage.record(key.keyId);
    const waiting = options.rateLimiter.admit(key.keyId);
    if (waiting !== undefined) await waiting;
    if (request.is404) throw notFound();
    if (body === 'too large') throw payloadTooLarge();
    // Later it would be too late to refuse.
    if (options.held.isFull && request.method !== 'GET') throw tooMuchHeld();
  };
}

function claimOf(
  { method, originalUrl, headers }: FastifyRequest,
  body: ReceivedBody,
  { authenticators }: AdmissionOptions,
): Claim {
  return readClaim(authenticators, { method, target: rawTarget(originalUrl), headers, body });
}

/** Node reads a target's bytes as Latin-1. */
function rawTarget(target: string): string | Buffer {
  return notAscii.test(target) ? Buffer.from(target, 'latin1') : target;
}
