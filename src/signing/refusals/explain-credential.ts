import { secretLength } from '../../api/resources/api-key.js';
import { claimedKeyId, isKeyId } from '../../redaction/harmless.js';
import { countNoun } from '../../text/count-noun.js';
import { parseBasicAuthorization } from '../basic/basic.js';
import type { CredentialRefusal, RequestHead, VerifiableKey } from '../claim/claim.js';
import { readKeyIds } from '../scheme.js';
import { explainSignature } from './explain-signature.js';
import type { Explanation } from './refusal.js';

export interface WireRequest extends RequestHead {
  /** `undefined` until it has arrived. */
  body?: Buffer | undefined;
}

export interface RefusedCredential<Key extends VerifiableKey = VerifiableKey> {
  readonly refusal: CredentialRefusal;
  readonly request: WireRequest;
  readonly key?: Key | undefined;
}

/**
 * Prepares the explanation of a refused credential.
 * @param origins beginnings of the service's URLs, because some clients sign the whole URL
 * @returns the function that explains; `thoroughly` as in `findMistake`
 */
export function prepareExplaining(
  { refusal, request, key }: RefusedCredential,
  origins: readonly string[],
): (thoroughly: boolean) => Explanation {
  if (refusal.check !== 'signature' || key === undefined) return () => explainCredential(refusal, request);
  return (thoroughly) => explainSignature(key, request, origins, thoroughly);
}

function explainCredential(refusal: CredentialRefusal, request: WireRequest): Explanation {
  const { check, statusCode } = refusal;
  const { authorization } = request.headers;
  if (check === 'credentials' && statusCode === 401) return { reason: 'the request has no credential' };
  if (check === 'key') return { reason: explainUnknownKey(readKeyIds(request)[0]) };
  if (check === 'secret')
    return { reason: explainWrongSecret(parseBasicAuthorization(String(authorization))?.secret) };
  return refusal.explain();
}

/** Explains without quoting any part of the secret. */
export function explainWrongSecret(secret = ''): string {
  if (/^\s|\s$/.test(secret)) return 'the secret begins or ends with whitespace, such as a newline';
  if (/^(["']).*\1$/.test(secret)) return 'the secret is in quotes';
  if (secret.length !== secretLength) {
    return `the secret has ${countNoun(secret.length, 'character')} instead of ${secretLength}`;
  }
  return 'wrong secret for this key';
}

export function explainUnknownKey(text = ''): string {
  if (text === '') return 'the key ID is empty';
  const claimed = claimedKeyId(text);
  if (claimed !== undefined) return `key ${claimed} not found: it never existed, or was deleted or revoked`;
  const [, quoted = ''] = /^["'](.*)["']$/s.exec(text) ?? [];
  if (isKeyId(quoted)) return 'the key ID is in quotes';
  if (isKeyId(text.toLowerCase())) return 'the key ID begins with key_, in lower case';
  return 'the key ID is not of the form key_…: are key ID and secret swapped?';
}
