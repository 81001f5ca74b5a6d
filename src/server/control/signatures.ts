import { signatureHeader, visibleCanonical } from '../../signing/index.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { Store } from '../../storage/store.js';
import type { ReceivedRequest } from '../authentication/authenticator.js';
import { requireEnabled } from '../authentication/authenticator.js';
import { hmacAuthenticator } from '../authentication/hmac-authenticator.js';
import type { Destination } from '../explain/accepted-curl.js';
import { HttpError } from '../http/http-error.js';
import type { Refusal } from '../http/refusal.js';
import type { Targets } from '../http/url-space.js';
import type { ControlledSignatures, ControlledStatus, SignatureVerdict, SignedRequest } from './control.js';
import { noSuchKey } from './keys.js';

export interface SignatureOptions {
  readonly store: Pick<Store, 'apiKeys'>;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Seconds by which a timestamp may differ from the clock. */
  readonly maxSkew: number;
  readonly targets: Targets;
  readonly destination: () => Destination & Pick<ControlledStatus, 'console'>;
}

/** Runs the service's own authentication on requests that are not sent. */
export function controlSignatures(options: SignatureOptions): ControlledSignatures {
  return {
    async check(signed) {
      const key = await options.store.apiKeys.credential(signed.keyId);
      if (key === undefined) throw noSuchKey();
      return verdictOn(signed, key, options);
    },
  };
}

async function verdictOn(
  signed: SignedRequest,
  key: KeyCredential,
  { clock, maxSkew, targets, destination }: SignatureOptions,
): Promise<SignatureVerdict> {
  const { method, target, timestamp, contentType = '' } = signed;
  const { url, caFile } = destination();
  const body = Buffer.from(signed.body ?? '');
  const signedTarget = targets.toSigned(target);
  const request = { ...receivedFrom(signed, body, url), target: signedTarget };
  const scheme = url.startsWith('https:') ? 'https' : 'http';
  const verifyWithin = (seconds: number) => () => {
    const claim = hmacAuthenticator({ scheme, clock, maxSkew: seconds }).read(request);
    claim.verifyBody?.(claim.verifyHead(key));
  };
  const ofSignature = refusalOf(verifyWithin(Number.POSITIVE_INFINITY));
  const first = refusalOf(verifyWithin(maxSkew));
  const isLate = first?.check === 'timestamp' && ofSignature?.check !== 'timestamp';
  const ofKey = refusalOf(() => requireEnabled(key, () => destination().console));
  const refusals = [isLate ? first : undefined, ofSignature, ofKey];
  const { acceptedCurl } = await import('../explain/accepted-curl.js');
  return {
    matches: ofSignature === undefined,
    refusals: refusals.filter((refusal) => refusal !== undefined),
    canonical: visibleCanonical({ method, target: signedTarget, timestamp, contentType, body }, key.secret),
    curl: acceptedCurl(
      { ...signed, contentType: contentType || undefined, body, isBasic: false },
      { url, caFile },
    ),
  };
}

function receivedFrom(signed: SignedRequest, body: Buffer, url: string): ReceivedRequest {
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

/** Why a check fails, explained as in the journal. */
function refusalOf(check: () => unknown): Refusal | undefined {
  try {
    check();
    return undefined;
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    const { check: name = 'request', explain = () => ({ reason: error.message }) } = error.refusal;
    return { check: name, ...explain(true) };
  }
}
