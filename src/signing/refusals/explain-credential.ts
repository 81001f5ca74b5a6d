import { claimedKeyId, secretLength } from '../../redaction/harmless.js';
import { countNoun } from '../../text/count-noun.js';
import { parseBasicAuthorization } from '../basic/basic.js';
import { explainMismatch } from '../mistakes/explain-mismatch.js';
import { visibleCanonical } from '../mistakes/visible-canonical.js';
import {
  type CredentialRefusal,
  type RequestHead,
  readKeyIds,
  readSigned,
  type VerifiableKey,
} from '../scheme.js';
import type { Explanation } from './refusal.js';

export interface WireRequest extends RequestHead {
  /** `undefined` until it has arrived. */
  body?: Buffer | undefined;
}

/** @param origins beginnings of the service's URLs, because some clients sign the whole URL */
export function prepareExplaining(
  refusal: CredentialRefusal,
  request: WireRequest,
  key: VerifiableKey | undefined,
  origins: readonly string[],
): (thoroughly: boolean) => Explanation {
  const { check } = refusal;
  if (check === 'signature' && key !== undefined)
    return (thoroughly) => explainSignature(key.secret, request, origins, thoroughly);
  if (check === 'key') return () => ({ reason: explainUnknownKey(readKeyIds(request)[0]) });
  if (check !== 'secret') return refusal.explain;
  const given = parseBasicAuthorization(String(request.headers['authorization']));
  return () => ({ reason: explainWrongSecret(given?.secret) });
}

/** Bytes of the largest body to try mistakes on: each of thousands of attempts may hash or rewrite it. */
const triedBytes = 16_384;

function explainSignature(
  secret: string,
  received: WireRequest,
  origin: readonly string[],
  thoroughly: boolean,
): Explanation {
  const { body } = received;
  const { request, signature } = readSigned(received, body);
  const expected = body && { canonical: visibleCanonical(request, secret) };
  if (signature === '') return { reason: 'X-API-Signature is missing', ...expected };
  if (body === undefined || body.byteLength > triedBytes) {
    const reason = 'the signature does not match; for bodies over 16 KiB, known mistakes are not tried';
    return { reason, ...expected };
  }
  const mismatch = { secret, request: { ...request, origin }, signature };
  const { mistake, ...explanation } = explainMismatch(mismatch, thoroughly);
  return { ...explanation, ...(mistake && { mistake: mistake.id, advice: mistake.advice }) };
}

/** Never quotes a part of the secret. */
function explainWrongSecret(secret = ''): string {
  return secret.length === secretLength
    ? 'wrong secret for this key'
    : `the secret has ${countNoun(secret.length, 'character')} instead of ${secretLength}`;
}

export function explainUnknownKey(text = ''): string {
  if (text === '') return 'the key ID is empty';
  const claimed = claimedKeyId(text);
  if (claimed !== undefined) return `key ${claimed} not found: it never existed, or was deleted or revoked`;
  return 'the key ID is not of the form key_…: are key ID and secret swapped?';
}
