import { createHmac, timingSafeEqual } from 'node:crypto';
import { UsageError } from '../../errors/errors.js';
import { type Credential, requireSecret } from '../basic/basic.js';

/** The parts of a request that a signature covers. */
export interface SignableRequest {
  readonly method: string;
  /** Path and query as on the request line, with the base path; as bytes if it may not be ASCII. */
  readonly target: string | Uint8Array;
  /** Unix seconds in decimal. */
  readonly timestamp: string;
  /** The exact `Content-Type` value; empty without a body. */
  readonly contentType: string;
  readonly body: Uint8Array;
}

/**
 * METHOD, PATH?QUERY, TIMESTAMP, CONTENT-TYPE (empty without a body) and BODY, joined with line feeds.
 * @throws UsageError for a part that is missing or of the wrong type
 */
export function canonicalString(request: SignableRequest): Buffer {
  requireParts(request);
  const { target, timestamp, body } = request;
  const method = request.method.toUpperCase();
  const isEmpty = body.byteLength === 0;
  if (isEmpty && typeof target === 'string') return Buffer.from(`${method}\n${target}\n${timestamp}\n\n`);
  return Buffer.concat([
    Buffer.from(`${method}\n`),
    typeof target === 'string' ? Buffer.from(target) : target,
    Buffer.from(`\n${timestamp}\n${isEmpty ? '' : request.contentType}\n`),
    body,
  ]);
}

/** Callers without TypeScript may omit parts, or pass the body as text. */
function requireParts({ method, target, timestamp, contentType, body }: SignableRequest): void {
  const wrong = [
    ...(typeof method === 'string' ? [] : ['`method` is not a string']),
    ...(typeof target === 'string' || target instanceof Uint8Array ? [] : ['`target` is not a string']),
    ...(typeof timestamp === 'string' ? [] : ['`timestamp` is not a string']),
    ...(body instanceof Uint8Array ? [] : ['`body` is not a Uint8Array (without a body, an empty one)']),
    ...(typeof contentType === 'string' ? [] : ['`contentType` is not a string']),
  ];
  if (wrong.length > 0) throw new UsageError(`cannot sign this request: ${wrong.join('; ')}`);
}

/** Lower-case hexadecimal HMAC-SHA256. @throws UsageError for a missing or empty secret: anyone could sign with it */
export function hmacSignature(secret: string, canonical: Uint8Array): string {
  requireSecret('hmacSignature', secret);
  return createHmac('sha256', secret).update(canonical).digest('hex');
}

export const signatureHeader = {
  key: 'X-API-Key',
  timestamp: 'X-API-Timestamp',
  signature: 'X-API-Signature',
} as const;

/** The headers that authenticate a request by HMAC. @throws UsageError for an empty secret, or a wrong part */
export function signedHeaders(credential: Credential, request: SignableRequest): Record<string, string> {
  requireSecret('signedHeaders', credential.secret);
  return {
    [signatureHeader.key]: credential.keyId,
    [signatureHeader.timestamp]: request.timestamp,
    [signatureHeader.signature]: hmacSignature(credential.secret, canonicalString(request)),
  };
}

/** Whether a signature is right. Use `withinSkew` to check the timestamp. @throws UsageError as `signedHeaders` does */
export function verifySignature(secret: string, request: SignableRequest, signature: string): boolean {
  requireSecret('verifySignature', secret);
  const expected = Buffer.from(hmacSignature(secret, canonicalString(request)));
  const given = Buffer.from(signature);
  // The length of a signature is not secret.
  return expected.length === given.length && timingSafeEqual(expected, given);
}

export function isSignature(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
