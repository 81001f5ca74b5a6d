import type { FastifyReply, FastifyRequest } from 'fastify';
import { errorMessage } from '../../api/error-message.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { StoreUnavailable } from '../../storage/database/store-unavailable.js';
import type { Store } from '../../storage/store.js';
import {
  type Authenticator,
  type Claim,
  claimedKeyIds,
  type ReceivedRequest,
  readClaim,
  requireEnabled,
} from '../authentication/authenticator.js';
import { type HeldBytes, tooMuchHeld } from '../http/held-bytes.js';
import { HttpError, notFound, payloadTooLarge } from '../http/http-error.js';
import { isReading } from '../http/reading-methods.js';
import { beginReading, glimpseBody, receiveBody } from '../http/receive-body.js';
import type { UnprovenRequests } from '../http/unproven-requests.js';
import type { Targets } from '../http/url-space.js';
import type { RequestLimiter } from './rate-limiter.js';
import type { UsageRecorder } from './usage-recorder.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The key that the request is authenticated with; null until it is. */
    key: KeyCredential | null;
    /** The organization of the key that the request names, whether or not it is authenticated. */
    organizationId: string | null;
    /** The body as received; null when it was too large, or was not read. */
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
  readonly unproven: UnprovenRequests;
  readonly targets: Targets;
  /** What answers in the place of a route; null for none. */
  readonly findStub: (request: FastifyRequest) => FastifyRequest['stub'];
  /** Where the management console is; `undefined` where there is none. */
  readonly consoleAddress: () => string | undefined;
}

/**
 * The hook that every request of the service passes, in the order of the contract: credentials, key, timestamp,
 * signature or secret, disabled, rate limit, route, body. What the head shows is checked before the body is read: all of
 * it for Basic, and for HMAC everything before the signature.
 * @throws HttpError when it does not pass.
 */
export function admission(options: AdmissionOptions) {
  const { held, unproven } = options;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const received = receivedFrom(request, options.targets);
    const reading = beginReading(reply.raw, { held, unproven });
    let checked: Checked;
    try {
      // No await if the key is in memory: it would cost the request a turn.
      const checking = checkHead(request, received, options);
      checked = checking instanceof Promise ? await checking : checking;
      const admitting = checked.verifyBody === undefined && admit(request, checked.key, options);
      if (admitting instanceof Promise) await admitting;
    } catch (error) {
      if (isOfBoth(error)) request.organizationId = await organizationOfBoth(received, options);
      received.body = await glimpseBody(request.raw, reading);
      request.bytes = received.body ?? null;
      throw error;
    }
    const { key, verifyBody } = checked;
    const isProven = verifyBody === undefined;
    if (isProven) reading?.prove();
    const receiving = receiveBody(reply.raw, { held, unproven: isProven ? undefined : unproven }, reading);
    const body = receiving instanceof Promise ? await receiving : receiving;
    received.body = body;
    // Otherwise the rest of the body would be taken for the next request.
    if (body === 'too large') reply.header('connection', 'close');
    else request.bytes = body;
    verifyBody?.(key);
    const admitting = verifyBody && admit(request, key, options);
    if (admitting !== undefined) await admitting;
    if (body === 'too large') throw payloadTooLarge();
    // Later it would be too late to refuse.
    if (!isReading(request.method) && !held.makeRoom()) throw tooMuchHeld();
  };
}

/** A key that a request claims by a head that is in order. */
interface Checked extends Pick<Claim, 'verifyBody'> {
  readonly key: KeyCredential;
}

function checkHead(
  request: FastifyRequest,
  received: ReceivedRequest,
  { store: { apiKeys }, authenticators }: AdmissionOptions,
): Checked | Promise<Checked> {
  const claim = readClaim(authenticators, received);
  const check = (found: KeyCredential | undefined): Checked => {
    request.organizationId = found?.organizationId ?? null;
    return { key: claim.verifyHead(found), verifyBody: claim.verifyBody };
  };
  const kept = apiKeys.keptCredential(claim.keyId);
  return kept === undefined ? apiKeys.credential(claim.keyId).then(check) : check(kept);
}

/** What follows when knowledge of the secret is proven, up to the route; a promise if there is something to wait for. */
function admit(
  request: FastifyRequest,
  key: KeyCredential,
  { consoleAddress, usage, rateLimiter, findStub }: AdmissionOptions,
): Promise<void> | undefined {
  request.key = key;
  requireEnabled(key, consoleAddress);
  usage.record(key.keyId);
  const waiting = rateLimiter.admit(key.keyId);
  if (waiting !== undefined) return waiting.then(() => requireRoute(request, findStub));
  requireRoute(request, findStub);
  return undefined;
}

function requireRoute(request: FastifyRequest, findStub: AdmissionOptions['findStub']): void {
  request.stub = findStub(request);
  if (request.is404 && request.stub === null) throw notFound();
}

function isOfBoth(error: unknown): boolean {
  return error instanceof HttpError && error.message === errorMessage.multipleCredentials;
}

/** The organization that the keys of two credentials have in common. */
async function organizationOfBoth(
  received: ReceivedRequest,
  { store: { apiKeys }, authenticators }: AdmissionOptions,
): Promise<string | null> {
  try {
    const keyIds = claimedKeyIds(authenticators, received);
    const keys = await Promise.all(keyIds.map((keyId) => apiKeys.credential(keyId)));
    const known = keys.flatMap((key) => key?.organizationId ?? []);
    const [organizationId = null] = known;
    return known.every((other) => other === organizationId) ? organizationId : null;
  } catch (error) {
    // The request is refused whatever the data says.
    if (error instanceof StoreUnavailable) return null;
    throw error;
  }
}

function receivedFrom(
  { method, originalUrl, headers }: FastifyRequest,
  { toSigned }: Targets,
): ReceivedRequest {
  return { method, target: rawTarget(toSigned(originalUrl)), headers };
}

/** Node reads a target's bytes as Latin-1. */
function rawTarget(target: string): string | Buffer {
  return notAscii.test(target) ? Buffer.from(target, 'latin1') : target;
}
