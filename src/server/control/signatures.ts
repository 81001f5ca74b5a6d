import type { controlInputs } from '../../api/control/control.js';
import type { z } from '../../api/schema/schema.js';
import { signatureHeader } from '../../signing/hmac/signature.js';
import { visibleCanonical } from '../../signing/mistakes/visible-canonical.js';
import {
  type ClaimCheckOptions,
  CredentialRefusal,
  checkEnabled,
  checkHead,
  readClaim,
} from '../../signing/scheme.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { acceptedCurl } from '../explain/accepted-curl.js';
import { prepareRefusal, type WireRequest } from '../explain/explain-credentials.js';
import { type Controlled, destinationOf } from './controlled.js';
import { requireKey } from './keys.js';

type Signed = z.output<(typeof controlInputs)['signatures.check']>;

/** Runs the service's authentication on a request that is not sent. @throws HttpError 404 for an unknown key */
export async function checkSignature(signed: Signed, controlled: Controlled) {
  const { service } = controlled;
  const { store, targets, maxSkew } = service;
  const key = await requireKey(store, signed.keyId);
  const { method, timestamp, contentType = '' } = signed;
  const destination = destinationOf(controlled);
  const body = Buffer.from(signed.body ?? '');
  const target = targets.toSigned(signed.target);
  const request = { ...toReceivedRequest(signed, body, destination.url), target };
  const checkWithin = (seconds: number) =>
    checkSigned(request, key, body, { clock: service.clock, maxSkew: seconds });
  const withoutSkewLimit = checkWithin(Number.POSITIVE_INFINITY);
  const first = checkWithin(maxSkew);
  const isOutsideSkew = first?.check === 'timestamp' && withoutSkewLimit?.check !== 'timestamp';
  const refusals = [isOutsideSkew ? first : undefined, withoutSkewLimit, checkEnabled(key)]
    .filter((refusal) => refusal !== undefined)
    .map(async (refusal) => {
      const explain = await prepareRefusal({ refusal, request, key }, service);
      return { check: refusal.check, ...explain(true) };
    });
  return {
    matches: withoutSkewLimit === undefined,
    refusals: await Promise.all(refusals),
    canonical: visibleCanonical({ method, target, timestamp, contentType, body }, key.secret),
    curl: acceptedCurl(
      { ...signed, contentType: contentType || undefined, body, isBasic: false },
      destination,
    ),
  };
}

function checkSigned(
  request: WireRequest,
  key: KeyCredential,
  body: Buffer,
  options: ClaimCheckOptions,
): CredentialRefusal | undefined {
  const claim = readClaim(request);
  if (claim instanceof CredentialRefusal) return claim;
  const checked = checkHead(claim, key, options);
  return checked instanceof CredentialRefusal ? checked : claim.checkBody?.(key.secret, body);
}

function toReceivedRequest(signed: Signed, body: Buffer, url: string): WireRequest {
  const { keyId, method, target, timestamp, contentType, signature } = signed;
  const headers = {
    host: new URL(url).host,
    [signatureHeader.key.toLowerCase()]: keyId,
    [signatureHeader.timestamp.toLowerCase()]: timestamp,
    [signatureHeader.signature.toLowerCase()]: signature,
    'content-type': contentType,
  };
  return { method, target, headers, body };
}
