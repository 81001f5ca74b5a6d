import type { IncomingHttpHeaders } from 'node:http';
import { errorMessage } from '../../api/error-message.js';
import { noSecret } from '../../signing/hmac/signature.js';
import { isTimely } from '../../signing/hmac/timestamp.js';
import { type SignableRequest, signatureHeader, verifySignature } from '../../signing/index.js';
import { explainTimestamp } from '../../signing/mistakes/explain-credential.js';
import { shapeProblem } from '../../signing/mistakes/explain-mismatch.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { explainSignature, explainUnknownKey, explainUnread } from '../explain/explain-credentials.js';
import { HttpError, payloadTooLarge } from '../http/http-error.js';
import type { Authenticator, ReceivedRequest } from './authenticator.js';

export interface HmacOptions {
  /** The start of this server's URLs: some clients sign the whole URL. */
  readonly scheme: 'http' | 'https';
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Seconds by which a timestamp may differ from the clock. */
  readonly maxSkew: number;
}

// Node has header names in lower case.
const keyHeader = signatureHeader.key.toLowerCase();
const timestampHeader = signatureHeader.timestamp.toLowerCase();
const nameOfSignature = signatureHeader.signature.toLowerCase();

/** Mode B: a signature over the request as received (reference, section 5). */
export function hmacAuthenticator(options: HmacOptions): Authenticator {
  return {
    claims: (headers) => headers[keyHeader] !== undefined,
    read: (request) => ({
      keyId: headerOf(request.headers, keyHeader),
      verifyHead: (key) => verifiedHead(key, request, options),
      verifyBody: (key) => verifyBody(key, request, options),
    }),
  };
}

/** The key, if it exists, the timestamp is valid and the signature has the form of one. */
function verifiedHead(
  key: KeyCredential | undefined,
  request: ReceivedRequest,
  options: HmacOptions,
): KeyCredential {
  const { headers } = request;
  const { clock, maxSkew } = options;
  const signature = headerOf(headers, nameOfSignature);
  if (key === undefined) {
    verifySignature(noSecret, signableOf(request), signature);
    throw unknownKey(headerOf(headers, keyHeader));
  }
  const timestamp = headerOf(headers, timestampHeader);
  const now = clock();
  if (!isTimely(timestamp, now, maxSkew)) throw untimely(timestamp, now, maxSkew);
  if (shapeProblem(signature) !== undefined) throw mismatch(key, request, options);
  return key;
}

function verifyBody(key: KeyCredential, request: ReceivedRequest, options: HmacOptions): void {
  // A body that was not read whole cannot be verified.
  if (request.body === 'too large') throw payloadTooLarge();
  const signature = headerOf(request.headers, nameOfSignature);
  if (!verifySignature(key.secret, signableOf(request), signature)) throw mismatch(key, request, options);
}

function unknownKey(keyId: string): HttpError {
  const explain = () => ({ reason: explainUnknownKey(keyId) });
  return new HttpError(401, errorMessage.invalidKey, { check: 'key', explain });
}

function untimely(header: string, now: number, maxSkew: number): HttpError {
  const explain = () => explainTimestamp(header, now, maxSkew);
  return new HttpError(401, errorMessage.invalidTimestamp, { check: 'timestamp', explain });
}

function mismatch({ secret }: KeyCredential, request: ReceivedRequest, { scheme }: HmacOptions): HttpError {
  const explain = (thoroughly: boolean) => {
    const { headers } = request;
    const signature = headerOf(headers, nameOfSignature);
    if (request.body === undefined) return explainUnread(signature);
    const { host } = headers;
    const origin = host === undefined ? undefined : `${scheme}://${host}`;
    const keyId = headerOf(headers, keyHeader);
    const signed = { ...signableOf(request), origin, keyId };
    return explainSignature({ secret, request: signed, signature }, thoroughly);
  };
  return new HttpError(401, errorMessage.invalidSignature, { check: 'signature', explain, takesWork: true });
}

function signableOf({ method, target, headers, body }: ReceivedRequest): SignableRequest {
  return {
    method,
    target,
    timestamp: headerOf(headers, timestampHeader),
    contentType: headers['content-type'] ?? '',
    body: body === undefined || body === 'too large' ? Buffer.alloc(0) : body,
  };
}

// Node never gives these headers as lists, and a missing one is as wrong as an empty one.
function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
