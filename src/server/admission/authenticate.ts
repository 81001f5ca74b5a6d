import { type Claim, CredentialRefusal } from '../../signing/claim/claim.js';
import { checkEnabled, checkHead, readClaim, readKeyIds } from '../../signing/scheme.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { StoreUnavailable } from '../../storage/engine.js';
import { toCredentialError, type WireRequest } from '../explain/explain-credentials.js';
import { payloadTooLarge } from '../http/answer.js';
import type { Service } from '../service.js';
import type { ServiceRequest } from '../service-request.js';

const notAscii = /[^\0-\x7f]/;

/**
 * Checks a request's credential, key, timestamp, and signature or secret. Returns a promise only if the key is not in
 * memory, or the request is refused.
 * @throws HttpError if a check fails
 */
export function authenticate(asked: ServiceRequest, service: Service): Promise<void> | undefined {
  const { method, body, request } = asked;
  const received: WireRequest = {
    method,
    // Node decodes a target's bytes as Latin-1.
    target: notAscii.test(asked.signed) ? Buffer.from(asked.signed, 'latin1') : asked.signed,
    headers: request.headers,
    body: body === 'too large' ? undefined : body,
  };
  const claim = readClaim(received);
  if (claim instanceof CredentialRefusal)
    return findOrganization(readKeyIds(received), service).then((organizationId) => {
      asked.organizationId = organizationId;
      return refuse(claim, received, undefined, service);
    });
  const { apiKeys } = service.store;
  const kept = apiKeys.keptCredential(claim.keyId);
  if (kept !== undefined) return checkClaim(claim, kept, asked, received, service);
  return apiKeys.credential(claim.keyId).then((key) => checkClaim(claim, key, asked, received, service));
}

function checkClaim(
  claim: Claim,
  found: KeyCredential | undefined,
  asked: ServiceRequest,
  received: WireRequest,
  service: Service,
): Promise<void> | undefined {
  asked.organizationId = found?.organizationId;
  const key = checkHead(claim, found, service);
  if (key instanceof CredentialRefusal) return refuse(key, received, found, service);
  // A signature cannot be checked without the body.
  if (received.body === undefined && claim.checkBody !== undefined) throw payloadTooLarge();
  const wrong = received.body && claim.checkBody?.(key.secret, received.body);
  if (wrong !== undefined) return refuse(wrong, received, key, service);
  asked.key = key;
  const disabled = checkEnabled(key);
  if (disabled !== undefined) return refuse(disabled, received, key, service);
  service.usage.record(key.keyId);
  return undefined;
}

async function refuse(
  refusal: CredentialRefusal,
  request: WireRequest,
  key: KeyCredential | undefined,
  { protocol }: Service,
): Promise<never> {
  throw await toCredentialError({ refusal, request, key }, protocol);
}

/** The organization of all given keys, for the quota headers of a refusal. */
async function findOrganization(
  keyIds: readonly string[],
  { store: { apiKeys } }: Service,
): Promise<string | undefined> {
  try {
    const keys = await Promise.all(keyIds.map((keyId) => apiKeys.credential(keyId)));
    const [organizationId, ...others] = keys.flatMap((key) => key?.organizationId ?? []);
    return others.every((other) => other === organizationId) ? organizationId : undefined;
  } catch (error) {
    // The request is refused whatever the data says.
    if (error instanceof StoreUnavailable) return undefined;
    throw error;
  }
}
