import type { WireRequest } from '../../signing/refusals/explain-credential.js';
import {
  type Claim,
  CredentialRefusal,
  checkEnabled,
  checkHead,
  readClaim,
  readKeyIds,
} from '../../signing/scheme.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { HttpError, payloadTooLarge } from '../http/answer.js';
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
  if (claim instanceof CredentialRefusal) return refuseClaim(claim, asked, received, service);
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
  if (received.body === undefined && claim.checkBody !== undefined) throw payloadTooLarge();
  const wrong = received.body && claim.checkBody?.(key.secret, received.body);
  if (wrong !== undefined) return refuse(wrong, received, key, service);
  asked.key = key;
  const disabled = checkEnabled(key);
  if (disabled !== undefined) return refuse(disabled, received, key, service);
  service.usage.record(key.keyId);
  return undefined;
}

/** Refuses a request. If it names just one key, finds the key's organization first, for the quota headers. */
async function refuseClaim(
  refusal: CredentialRefusal,
  asked: ServiceRequest,
  received: WireRequest,
  service: Service,
): Promise<never> {
  const [keyId, ...others] = new Set(readKeyIds(received));
  if (keyId !== undefined && others.length === 0) {
    const key = await service.store.apiKeys.credential(keyId).catch(() => undefined);
    asked.organizationId = key?.organizationId;
  }
  return refuse(refusal, received, undefined, service);
}

/** @throws HttpError; the explanation is computed only on demand */
async function refuse(
  refusal: CredentialRefusal,
  request: WireRequest,
  key: KeyCredential | undefined,
  { tls }: Service,
): Promise<never> {
  const { check, statusCode, message } = refusal;
  const { host } = request.headers;
  const { prepareExplaining } = await import('../../signing/refusals/explain-credential.js');
  // Some clients sign the whole URL.
  const origins = host === undefined ? [] : [`${tls ? 'https' : 'http'}://${host}`];
  const disabled = `${key?.keyId} is disabled; enable it: orgctl local keys enable ${key?.keyId}`;
  const explain =
    check === 'enabled' ? () => ({ reason: disabled }) : prepareExplaining(refusal, request, key, origins);
  throw new HttpError(statusCode, message, { check, explain, isExpensive: check === 'signature' });
}
