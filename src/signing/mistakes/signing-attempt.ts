import { createHmac } from 'node:crypto';
import type { SignableRequest } from '../hmac/signature.js';

/** A request whose signature needs explaining. */
export interface ExplainableRequest extends SignableRequest {
  /** Scheme, host and port if known (`https://api.example.com`), for mistakes that sign the full URL. */
  readonly origin?: string | undefined;
  /** The API key ID if known: some sign with it instead of the secret. */
  readonly keyId?: string | undefined;
}

/**
 * What a mistake alters. Two mistakes in one aspect exclude each other: nobody decodes a secret both as hexadecimal and
 * as base64.
 */
export type MistakenAspect =
  | 'secret'
  | 'method'
  | 'query'
  | 'path'
  | 'body'
  | 'line ends'
  | 'body hash'
  | 'content type'
  | 'end'
  | 'algorithm'
  | 'timestamp';

/** A mistake in words. */
export interface NamedMistake {
  /** Stable; two mistakes made together are joined by `+`. */
  readonly id: string;
  /** Completes the sentence "The signature was made …". */
  readonly description: string;
  /** What to change in the client: an imperative sentence without a full stop, in lower case. */
  readonly advice: string;
}

/** A known signing mistake. */
export interface SigningMistake extends NamedMistake {
  readonly aspect: MistakenAspect;
  /**
   * What the mistake makes of this request: several attempts if it has several forms, none if it does not apply.
   * `right` may already have been altered by an earlier mistake.
   */
  readonly reproduce: (right: SigningAttempt, request: ExplainableRequest) => Iterable<SigningAttempt>;
}

/** What may have been signed: the canonical string in parts, so that mistakes can alter each part. */
export interface SigningAttempt {
  readonly algorithm: 'sha256' | 'sha1' | 'sha512';
  readonly key: Buffer;
  readonly method: string;
  readonly target: Buffer;
  readonly timestamp: string;
  /** `undefined` if the whole line is left out. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
  /** What stands between the parts. */
  readonly separator: string;
  /** How many parts are left out at the end, with the separators before them; the last of them, the body, is empty then. */
  readonly lost: number;
}

/** The attempt that follows the reference (section 5, mode B). */
export function rightAttempt(secret: string, request: SignableRequest): SigningAttempt {
  return {
    algorithm: 'sha256',
    key: Buffer.from(secret),
    method: request.method.toUpperCase(),
    target: Buffer.from(request.target),
    timestamp: request.timestamp,
    contentType: request.body.byteLength === 0 ? '' : request.contentType,
    body: Buffer.from(request.body),
    separator: '\n',
    lost: 0,
  };
}

/** How many bytes one hash of an attempt covers. */
export function attemptSize({ key, target, contentType = '', body }: SigningAttempt): number {
  return key.byteLength + target.byteLength + contentType.length + body.byteLength;
}

/** The HMAC of an attempt, not yet spelled as text. */
export function attemptDigest(attempt: SigningAttempt): Buffer {
  const hmac = createHmac(attempt.algorithm, attempt.key);
  for (const piece of piecesOf(attempt)) hmac.update(piece);
  return hmac.digest();
}

/** What an attempt signs. */
export function attemptBytes(attempt: SigningAttempt): Buffer {
  return Buffer.concat(piecesOf(attempt).map((piece) => Buffer.from(piece)));
}

/** Not concatenated, since a search hashes thousands of attempts over the same body. */
function piecesOf({ method, target, separator, timestamp, contentType, body, lost }: SigningAttempt) {
  const tail = [timestamp, ...(contentType === undefined ? [] : [contentType]), ''];
  const end = `${separator}${tail.slice(0, tail.length - lost).join(separator)}`;
  return [`${method}${separator}`, target, end, body];
}
