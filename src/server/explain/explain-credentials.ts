import { secretLength } from '../../api/resources/api-key.js';
import { isKeyId } from '../../redaction/harmless.js';
import type { CredentialRefusal, RequestHead } from '../../signing/claim/claim.js';
import { readSigned } from '../../signing/hmac/hmac-scheme.js';
import { shapeProblem } from '../../signing/hmac/signature.js';
import { explainMismatch, parseBasicAuthorization, visibleCanonical } from '../../signing/index.js';
import { readKeyIds } from '../../signing/scheme.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { HttpError } from '../http/http-error.js';
import type { Explanation } from '../http/refusal.js';
import type { WriteCommand } from './command-writer.js';

/** A request as it came over the wire, uninterpreted. */
export interface WireRequest extends RequestHead {
  body?: Buffer | undefined;
}

export interface ExplainingOptions {
  /** The start of this server's URLs: some clients sign the whole URL. */
  readonly protocol: 'http' | 'https';
  readonly consoleAddress: () => string | undefined;
  readonly writeCommand: WriteCommand;
}

export interface RefusedCredential {
  readonly refusal: CredentialRefusal;
  readonly request: WireRequest;
  readonly key?: KeyCredential | undefined;
}

export function toCredentialError(refused: RefusedCredential, options: ExplainingOptions): HttpError {
  const { check, statusCode, message } = refused.refusal;
  const explain = (thoroughly: boolean) => explainRefusal(refused, options, thoroughly);
  return new HttpError(statusCode, message, { check, explain, takesWork: check === 'signature' });
}

export function explainRefusal(
  { refusal, request, key }: RefusedCredential,
  options: ExplainingOptions,
  thoroughly: boolean,
): Explanation {
  const { check, statusCode } = refusal;
  const { authorization } = request.headers;
  if (check === 'credentials' && statusCode === 401) return { reason: 'the request carries no credential' };
  if (check === 'key') return { reason: explainUnknownKey(readKeyIds(request)[0]) };
  if (check === 'secret')
    return { reason: explainWrongSecret(parseBasicAuthorization(String(authorization))?.secret) };
  if (check === 'signature' && key) return explainSignature(key, request, options, thoroughly);
  if (check === 'enabled' && key) return { reason: explainDisabled(key, options) };
  return refusal.explain();
}

/** Bytes of the largest body for which mistakes are tried: each of dozens of attempts hashes or rewrites it. */
const triedBytes = 16_384;

const missingSignature = 'X-API-Signature is missing';

/** Reference, section 5, server rules 1 and 4. */
function explainSignature(
  { secret }: KeyCredential,
  received: WireRequest,
  { protocol }: ExplainingOptions,
  thoroughly: boolean,
): Explanation {
  const {
    headers: { host },
    body,
  } = received;
  const { request, signature } = readSigned(received, body ?? Buffer.alloc(0));
  // What should have been signed is not known.
  if (body === undefined) {
    return {
      reason: signature === '' ? missingSignature : (shapeProblem(signature) ?? 'the body was not read'),
    };
  }
  if (signature === '') return { reason: missingSignature, canonical: visibleCanonical(request, secret) };
  if (body.byteLength > triedBytes) {
    const reason = 'the signature does not fit; known mistakes are not tried with a body over 16 KiB';
    return { reason, canonical: visibleCanonical(request, secret) };
  }
  const origin = host === undefined ? undefined : `${protocol}://${host}`;
  const mismatch = { secret, request: { ...request, origin }, signature };
  const { mistake, ...explanation } = explainMismatch(mismatch, thoroughly);
  return mistake === undefined
    ? explanation
    : { ...explanation, mistake: mistake.id, advice: mistake.advice };
}

function explainDisabled(
  { keyId }: KeyCredential,
  { consoleAddress, writeCommand }: ExplainingOptions,
): string {
  const address = consoleAddress();
  const reason = `${keyId} is disabled; enable it again: ${writeCommand(['local', 'keys', 'enable', keyId])}`;
  return address === undefined ? reason : `${reason}, or in the console: ${address}/#/keys`;
}

/** Never quotes any of the secret. */
export function explainWrongSecret(secret = ''): string {
  if (/^\s|\s$/.test(secret)) return 'the secret begins or ends with white space, such as a newline';
  if (/^(["']).*\1$/.test(secret)) return 'the secret has quotes round it';
  if (secret.length !== secretLength) {
    return `the secret has ${secret.length} characters, but secrets have ${secretLength}`;
  }
  return 'the secret is not that of the key';
}

/** The claimed key ID; anything of another form may be a misplaced secret. */
export function claimedKeyId(text: string | undefined): string | undefined {
  return text !== undefined && isKeyId(text) ? text : undefined;
}

function explainUnknownKey(text = ''): string {
  if (text === '') return 'the key ID is empty';
  const claimed = claimedKeyId(text);
  if (claimed !== undefined) return `there is no key ${claimed}: it never existed, was deleted or revoked`;
  return 'the key ID is not of the form key_…: are key ID and secret swapped?';
}
