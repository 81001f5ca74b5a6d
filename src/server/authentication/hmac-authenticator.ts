import type { IncomingHttpHeaders } from 'node:http';
import { errorMessage } from '../../contract/error-message.js';
import { explainTimestamp } from '../../signing/explain-credential.js';
import {
  type Mismatch,
  type SignableRequest,
  signatureHeader,
  verifySignature,
} from '../../signing/index.js';
import { noSecret } from '../../signing/signature.js';
import { isTimely } from '../../signing/timestamp.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { explainSignature, explainUnknownKey } from '../explain/explain-credentials.js';
import { HttpError, payloadTooLarge } from '../pipeline/http-error.js';
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
      verify: (key) => verified(key, request, options),
    }),
  };
}

/** The key, once the request has proved knowledge of its secret. */
function verified(
  key: KeyCredential | undefined,
  request: ReceivedRequest,
  { scheme, clock, maxSkew }: HmacOptions,
): KeyCredential {
  const { headers } = request;
  const signature = headerOf(headers, nameOfSignature);
  if (key === undefined) {
    verifySignature(noSecret, signableOf(request), signature);
    throw unknownKey(headerOf(headers, keyHeader));
  }
  const timestamp = headerOf(headers, timestampHeader);
  const now = clock();
  if (!isTimely(timestamp, now, maxSkew)) throw untimely(timestamp, now, maxSkew);
  // A body that was not read whole cannot be verified.
  if (request.body === 'too large') throw payloadTooLarge();
  const signable = signableOf(request);
  if (!verifySignature(key.secret, signable, signature)) {
    const { host } = headers;
    const origin = host === undefined ? undefined : `${scheme}://${host}`;
    const keyId = headerOf(headers, keyHeader);
    throw mismatch({ secret: key.secret, request: { ...signable, origin, keyId }, signature });
  }
  return key;
}

function unknownKey(keyId: string): HttpError {
  const explain = () => ({ reason: explainUnknownKey(keyId) });
  return new HttpError(401, errorMessage.invalidKey, { check: 'key', explain });
}

function untimely(header: string, now: number, maxSkew: number): HttpError {
  const explain = () => explainTimestamp(header, now, maxSkew);
  return new HttpError(401, errorMessage.invalidTimestamp, { check: 'timestamp', explain });
}

function mismatch(mismatch: Mismatch): HttpError {
  const explain = (thoroughly: boolean) => explainSignature(mismatch, thoroughly);
  return new HttpError(401, errorMessage.invalidSignature, { check: 'signature', explain, takesWork: true });
}

function signableOf({ method, target, headers, body }: ReceivedRequest): SignableRequest {
  return {
    method,
    target,
    timestamp: headerOf(headers, timestampHeader),
    contentType: headers['content-type'] ?? '',
    body: body === 'too large' ? Buffer.alloc(0) : body,
  };
}

// Node never gives these headers as lists, and a missing one is as wrong as an empty one.
function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
