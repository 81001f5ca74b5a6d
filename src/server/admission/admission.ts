import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Claim, type ClaimCheckOptions, CredentialRefusal } from '../../signing/claim/claim.js';
import { checkEnabled, checkHead, readClaim, readKeyIds } from '../../signing/scheme.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { StoreUnavailable } from '../../storage/database/store-unavailable.js';
import type { Store } from '../../storage/store.js';
import { readPath } from '../../text/base-url.js';
import {
  type ExplainingOptions,
  toCredentialError,
  type WireRequest,
} from '../explain/explain-credentials.js';
import { explainBrokenEscape, explainUnknownPath } from '../explain/explain-not-found.js';
import { type ByteBudget, tooMuchHeld } from '../http/byte-budget.js';
import { payloadTooLarge, refuseNotFound } from '../http/http-error.js';
import { isReading } from '../http/reading-methods.js';
import { beginReading, glimpseBody, receiveBody } from '../http/receive-body.js';
import type { UnprovenRequests } from '../http/unproven-requests.js';
import type { Targets } from '../http/url-space.js';
import type { RequestLimiter } from './rate-limiter.js';
import type { UsageRecorder } from './usage-recorder.js';

declare module 'fastify' {
  interface FastifyRequest {
    key: KeyCredential | null;
    organizationId: string | null;
    /** `null` if the body was too large or not read. */
    bytes: Buffer | null;
  }
}

const notAscii = /[^\0-\x7f]/;

export interface AdmissionOptions extends ClaimCheckOptions, ExplainingOptions {
  readonly store: Pick<Store, 'apiKeys'>;
  readonly usage: UsageRecorder;
  readonly rateLimiter: RequestLimiter;
  readonly held: ByteBudget;
  readonly unproven: UnprovenRequests;
  readonly targets: Targets;
  readonly findStub: (request: FastifyRequest) => FastifyRequest['stub'];
}

/**
 * Checks a request's credential, key, timestamp, signature or secret, rate limit, route and body size. Checks what it
 * can before it waits for the body.
 * @throws HttpError if a check fails
 */
export function admission(options: AdmissionOptions) {
  const { held, unproven } = options;
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const received = receiveRequest(request, options.targets);
    const reading = beginReading(reply.raw, { held, unproven });
    let claimed: Claimed;
    try {
      // No `await` if the key is in memory: it would slow down every request.
      const checking = findKey(request, received, options);
      claimed = checking instanceof Promise ? await checking : checking;
      const admitting = claimed.claim.checkBody ? undefined : admit(request, claimed, options);
      if (admitting !== undefined) await admitting;
    } catch (error) {
      received.body = await glimpseBody(request.raw, reading);
      request.bytes = received.body ?? null;
      throw error;
    }
    const needsBody = claimed.claim.checkBody !== undefined;
    if (!needsBody) reading?.prove();
    const receiving = receiveBody(reply.raw, { held, unproven: needsBody ? unproven : undefined }, reading);
    const body = receiving instanceof Promise ? await receiving : receiving;
    if (body === 'too large') {
      // Otherwise the rest of the body, however large, would have to be read before the next request.
      reply.header('connection', 'close');
      throw payloadTooLarge();
    }
    received.body = body;
    request.bytes = body;
    const admitting = needsBody ? admit(request, claimed, options, body) : undefined;
    if (admitting !== undefined) await admitting;
    // Once the change is made, it would be too late to refuse.
    if (!isReading(request.method) && !held.makeRoom()) throw tooMuchHeld();
  };
}

interface Claimed {
  readonly received: WireRequest;
  readonly claim: Claim;
  readonly key: KeyCredential;
}

function findKey(
  request: FastifyRequest,
  received: WireRequest,
  options: AdmissionOptions,
): Claimed | Promise<Claimed> {
  const { apiKeys } = options.store;
  const claim = readClaim(received);
  if (claim instanceof CredentialRefusal) return refuseCredential(claim, request, received, options);
  const check = (found: KeyCredential | undefined): Claimed | Promise<never> => {
    request.organizationId = found?.organizationId ?? null;
    const key = checkHead(claim, found, options);
    if (!(key instanceof CredentialRefusal)) return { received, claim, key };
    return refuse({ refusal: key, request: received, key: found }, options);
  };
  const kept = apiKeys.keptCredential(claim.keyId);
  return kept === undefined ? apiKeys.credential(claim.keyId).then(check) : check(kept);
}

function admit(
  request: FastifyRequest,
  { received, claim, key }: Claimed,
  options: AdmissionOptions,
  body: Buffer = noBody,
): Promise<void> | undefined {
  const refusal = claim.checkBody?.(key.secret, body);
  if (refusal !== undefined) return refuse({ refusal, request: received, key }, options);
  request.key = key;
  const disabled = checkEnabled(key);
  if (disabled !== undefined) return refuse({ refusal: disabled, request: received, key }, options);
  options.usage.record(key.keyId);
  const waiting = options.rateLimiter.admit(key.keyId);
  if (waiting !== undefined) return waiting.then(() => requireRoute(request, options.findStub));
  requireRoute(request, options.findStub);
  return undefined;
}

const noBody = Buffer.alloc(0);

function requireRoute(request: FastifyRequest, findStub: AdmissionOptions['findStub']): void {
  request.stub = findStub(request);
  if (request.is404 && request.stub === null) {
    const { method, url, originalUrl } = request;
    throw refuseNotFound(() => explainBrokenEscape(originalUrl) ?? explainUnknownPath(method, readPath(url)));
  }
}

async function refuseCredential(
  refusal: CredentialRefusal,
  request: FastifyRequest,
  received: WireRequest,
  options: AdmissionOptions,
): Promise<never> {
  const keyIds = readKeyIds(received);
  if (keyIds.length > 0) request.organizationId = await findOrganization(keyIds, options.store);
  return refuse({ refusal, request: received }, options);
}

async function refuse(...refused: Parameters<typeof toCredentialError>): Promise<never> {
  throw await toCredentialError(...refused);
}

async function findOrganization(
  keyIds: readonly string[],
  { apiKeys }: AdmissionOptions['store'],
): Promise<string | null> {
  try {
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

function receiveRequest(
  { method, originalUrl, headers }: FastifyRequest,
  { toSigned }: Targets,
): WireRequest {
  return { method, target: rawTarget(toSigned(originalUrl)), headers };
}

/** Node decodes a target's bytes as Latin-1. */
function rawTarget(target: string): string | Buffer {
  return notAscii.test(target) ? Buffer.from(target, 'latin1') : target;
}
