import type { IncomingHttpHeaders } from 'node:http';
import { errorMessage } from '../../contract/error-message.js';
import {
  parseTimestamp,
  type SignableRequest,
  signatureHeader,
  verifySignature,
  withinSkew,
} from '../../signing/index.js';
import { HttpError, payloadTooLarge } from '../http-error.js';
import { type Authenticator, type FindKey, noSecret } from './authenticator.js';
import type { ReceivedRequest } from './received-request.js';

export interface HmacOptions {
  readonly findKey: FindKey;
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
export function hmacAuthenticator({ findKey, clock, maxSkew }: HmacOptions): Authenticator {
  return {
    claims: (headers) => headers[keyHeader] !== undefined,
    async authenticate(request) {
      const { headers } = request;
      const signature = headerOf(headers, nameOfSignature);
      const key = await findKey(headerOf(headers, keyHeader));
      if (key === undefined) {
        verifySignature(noSecret, signableOf(request), signature);
        throw new HttpError(401, errorMessage.invalidKey);
      }
      const timestamp = parseTimestamp(headerOf(headers, timestampHeader));
      if (timestamp === undefined || !withinSkew(timestamp, clock(), maxSkew)) {
        throw new HttpError(401, errorMessage.invalidTimestamp);
      }
      // What was not read whole cannot be verified.
      if (request.body === 'too large') throw payloadTooLarge();
      if (!verifySignature(key.secret, signableOf(request), signature)) {
        throw new HttpError(401, errorMessage.invalidSignature);
      }
      return key;
    },
  };
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

// None of these headers is one that Node gives as a list, and a missing one is as wrong as an empty one.
function headerOf(headers: IncomingHttpHeaders, name: string): string {
  const value = headers[name];
  return typeof value === 'string' ? value : '';
}
