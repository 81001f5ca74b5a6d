import { secretLength } from '../../api/resources/api-key.js';
import { isKeyId } from '../../redaction/harmless.js';
import { parseBasicAuthorization } from '../basic/basic.js';
import type { CredentialRefusal, RequestHead, VerifiableKey } from '../claim/claim.js';
import { readSigned } from '../hmac/hmac-scheme.js';
import { shapeProblem } from '../hmac/signature.js';
import { explainMismatch, type Mismatch, type MismatchExplanation } from '../mistakes/explain-mismatch.js';
import { nameSpelling } from '../mistakes/signature-spellings.js';
import { visibleCanonical } from '../mistakes/visible-canonical.js';
import { readKeyIds } from '../scheme.js';
import type { Explanation } from './refusal.js';

/** A request as it came over the wire, uninterpreted. */
export interface WireRequest extends RequestHead {
  /** `undefined` until it is there, if ever. */
  body?: Buffer | undefined;
}

export interface RefusedCredential<Key extends VerifiableKey = VerifiableKey> {
  readonly refusal: CredentialRefusal;
  readonly request: WireRequest;
  readonly key?: Key | undefined;
}

/**
 * Why a credential was refused, as far as the request and the key tell.
 * @param origins beginnings of the service's URLs: some clients sign the whole URL
 * @param thoroughly see `findMistake`
 */
export function explainCredential(
  { refusal, request, key }: RefusedCredential,
  origins: readonly string[],
  thoroughly: boolean,
): Explanation {
  const { check, statusCode } = refusal;
  const { authorization } = request.headers;
  if (check === 'credentials' && statusCode === 401) return { reason: 'the request has no credential' };
  if (check === 'key') return { reason: explainUnknownKey(readKeyIds(request)[0]) };
  if (check === 'secret')
    return { reason: explainWrongSecret(parseBasicAuthorization(String(authorization))?.secret) };
  if (check === 'signature' && key) return explainSignature(key, request, origins, thoroughly);
  return refusal.explain();
}

/** Bytes of the largest body for which mistakes are tried: each of dozens of attempts hashes or rewrites it. */
const triedBytes = 16_384;

const missingSignature = 'X-API-Signature is missing';

function explainSignature(
  { secret }: VerifiableKey,
  received: WireRequest,
  origins: readonly string[],
  thoroughly: boolean,
): Explanation {
  const { body } = received;
  const { request, signature } = readSigned(received, body ?? Buffer.alloc(0));
  if (body === undefined) return explainUnread(signature);
  if (signature === '') return { reason: missingSignature, canonical: visibleCanonical(request, secret) };
  if (body.byteLength > triedBytes) {
    const reason = 'the signature does not match; known mistakes are not searched for bodies over 16 KiB';
    return { reason, canonical: visibleCanonical(request, secret) };
  }
  const [mismatch = { secret, request, signature }, ...others] = origins.map((origin) => ({
    secret,
    request: { ...request, origin },
    signature,
  }));
  const first = explainMismatch(mismatch, thoroughly);
  const { mistake, ...explanation } =
    first.mistake === undefined ? (explainElsewhere(others) ?? first) : first;
  return mistake === undefined
    ? explanation
    : { ...explanation, mistake: mistake.id, advice: mistake.advice };
}

function explainElsewhere(others: readonly Mismatch[]): MismatchExplanation | undefined {
  for (const other of others) {
    const explained = explainMismatch(other, false);
    if (explained.mistake !== undefined) return explained;
  }
  return undefined;
}

/** The expected string is unknown: a malformed signature is refused before the body is read. */
function explainUnread(signature: string): Explanation {
  if (signature === '') return { reason: missingSignature };
  const spelling = nameSpelling(signature);
  if (spelling === undefined) return { reason: shapeProblem(signature) ?? 'the body was not read' };
  const { id, description, advice } = spelling;
  const reason = `the signature was made ${description}`;
  return { reason, mistake: id, advice, corrections: [{ part: 'signature' }] };
}

/** Never quotes any of the secret. */
export function explainWrongSecret(secret = ''): string {
  if (/^\s|\s$/.test(secret)) return 'the secret begins or ends with whitespace, such as a newline';
  if (/^(["']).*\1$/.test(secret)) return 'the secret is in quotes';
  if (secret.length !== secretLength) {
    return `the secret has ${secret.length} characters instead of ${secretLength}`;
  }
  return 'wrong secret for this key';
}

/** The claimed key ID; anything of another form may be a misplaced secret. */
export function claimedKeyId(text: string | undefined): string | undefined {
  return text !== undefined && isKeyId(text) ? text : undefined;
}

export function explainUnknownKey(text = ''): string {
  if (text === '') return 'the key ID is empty';
  const claimed = claimedKeyId(text);
  if (claimed !== undefined) return `key ${claimed} not found: it never existed, or was deleted or revoked`;
  return 'the key ID is not of the form key_…: are key ID and secret swapped?';
}
