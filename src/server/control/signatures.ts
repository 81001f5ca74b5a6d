import { type ClaimCheckOptions, CredentialRefusal } from '../../signing/claim/claim.js';
import { signatureHeader } from '../../signing/hmac/signature.js';
import { checkEnabled, checkHead, readClaim } from '../../signing/scheme.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { Store } from '../../storage/store.js';
import type { Destination } from '../explain/accepted-curl.js';
import { prepareRefusal, type WireRequest } from '../explain/explain-credentials.js';
import type { Targets } from '../http/url-space.js';
import type { WriteCommand } from '../options/server-options.js';
import type { ControlledSignatures, ControlledStatus, SignatureVerdict, SignedRequest } from './control.js';
import { noSuchKey } from './keys.js';

export interface SignatureOptions extends ClaimCheckOptions {
  readonly store: Pick<Store, 'apiKeys'>;
  readonly targets: Targets;
  readonly writeCommand: WriteCommand;
  readonly destination: () => Destination & Pick<ControlledStatus, 'console'>;
}

/** Runs the service's authentication on requests that are not sent. */
export function controlSignatures(options: SignatureOptions): ControlledSignatures {
  return {
    async check(signed) {
      const key = await options.store.apiKeys.credential(signed.keyId);
      if (key === undefined) throw noSuchKey(signed.keyId);
      return judgeSignature(signed, key, options);
    },
  };
}

async function judgeSignature(
  signed: SignedRequest,
  key: KeyCredential,
  { clock, maxSkew, targets, writeCommand, destination }: SignatureOptions,
): Promise<SignatureVerdict> {
  const { method, target, timestamp, contentType = '' } = signed;
  const { url, caFile, console: address } = destination();
  const body = Buffer.from(signed.body ?? '');
  const signedTarget = targets.toSigned(target);
  const request = { ...toReceivedRequest(signed, body, url), target: signedTarget };
  const checkWithin = (seconds: number) => checkSigned(request, key, body, { clock, maxSkew: seconds });
  const withoutSkewLimit = checkWithin(Number.POSITIVE_INFINITY);
  const first = checkWithin(maxSkew);
  const isOutsideSkew = first?.check === 'timestamp' && withoutSkewLimit?.check !== 'timestamp';
  const refusals = [isOutsideSkew ? first : undefined, withoutSkewLimit, checkEnabled(key)];
  const explainOptions = {
    protocol: url.startsWith('https:') ? 'https' : 'http',
    consoleAddress: () => address,
    writeCommand,
  } as const;
  const explained = refusals
    .filter((refusal) => refusal !== undefined)
    .map(async (refusal) => {
      const explain = await prepareRefusal({ refusal, request, key }, explainOptions);
      return { check: refusal.check, ...explain(true) };
    });
  const { acceptedCurl } = await import('../explain/accepted-curl.js');
  const { visibleCanonical } = await import('../../signing/mistakes/visible-canonical.js');
  return {
    matches: withoutSkewLimit === undefined,
    refusals: await Promise.all(explained),
    canonical: visibleCanonical({ method, target: signedTarget, timestamp, contentType, body }, key.secret),
    curl: acceptedCurl(
      { ...signed, contentType: contentType || undefined, body, isBasic: false },
      { url, caFile },
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

function toReceivedRequest(signed: SignedRequest, body: Buffer, url: string): WireRequest {
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
