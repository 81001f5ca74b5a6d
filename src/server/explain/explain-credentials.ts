import { secretLength } from '../../api/resources/api-key.js';
import { isKeyId } from '../../redaction/harmless.js';
import { explainMismatch, type Mismatch, visibleCanonical } from '../../signing/index.js';
import { shapeProblem } from '../../signing/mistakes/explain-mismatch.js';
import type { Explanation } from '../http/refusal.js';

/** The largest body for which mistakes are looked for: each of dozens of attempts hashes or rewrites the whole body. */
const triedBytes = 16_384;

/**
 * Why a signature was refused (reference, section 5, server rules 1 and 4), with what should have been signed.
 * @param thoroughly whether milliseconds are looked for together with other mistakes, which is most of the work
 */
export function explainSignature(mismatch: Mismatch, thoroughly: boolean): Explanation {
  const { request, secret, signature } = mismatch;
  if (signature === '') return { reason: missing, canonical: visibleCanonical(request, secret) };
  if (request.body.byteLength > triedBytes) {
    const reason = 'the signature does not fit; known mistakes are not tried with a body over 16 KiB';
    return { reason, canonical: visibleCanonical(request, secret) };
  }
  const { mistake, ...explanation } = explainMismatch(mismatch, thoroughly);
  return mistake === undefined
    ? explanation
    : { ...explanation, mistake: mistake.id, advice: mistake.advice };
}

const missing = 'X-API-Signature is missing';

/** Why a signature was refused without waiting for the body, so that what should have been signed is not known. */
export function explainUnread(signature: string): Explanation {
  return { reason: signature === '' ? missing : (shapeProblem(signature) ?? 'the body was not read') };
}

/** What the form of a secret shows to be wrong, without quoting any of it. */
export function explainWrongSecret(secret: string): string {
  if (/^\s|\s$/.test(secret)) return 'the secret begins or ends with white space, such as a newline';
  if (/^(["']).*\1$/.test(secret)) return 'the secret has quotes round it';
  if (secret.length !== secretLength) {
    return `the secret has ${secret.length} characters, but secrets have ${secretLength}`;
  }
  return 'the secret is not that of the key';
}

/** The claimed key ID, if it has the form of one: anything else may be a misplaced secret. */
export function claimedKeyId(text: string | undefined): string | undefined {
  return text !== undefined && isKeyId(text) ? text : undefined;
}

/** Why there is no key of an ID. */
export function explainUnknownKey(text: string): string {
  if (text === '') return 'the key ID is empty';
  const claimed = claimedKeyId(text);
  if (claimed !== undefined) return `there is no key ${claimed}: it never existed, was deleted or revoked`;
  return 'the key ID is not of the form key_…: are key ID and secret swapped?';
}
