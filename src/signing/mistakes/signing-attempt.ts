import { createHmac } from 'node:crypto';
import type { SignableRequest } from '../hmac/signature.js';

/** A request whose signature needs explaining. */
export interface ExplainableRequest extends SignableRequest {
  /** Such as `https://api.example.com`, for mistakes that sign the full URL. */
  readonly origin?: string | undefined;
  /** Some sign with it instead of the secret. */
  readonly keyId?: string | undefined;
}

/** What a mistake alters; two in one aspect exclude each other. */
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
  /** Stable; pairs are joined by `+`. */
  readonly id: string;
  /** Completes the sentence "The signature was made …". */
  readonly description: string;
  /** An imperative sentence without a full stop, in lower case. */
  readonly advice: string;
}

export interface SigningMistake extends NamedMistake {
  readonly aspect: MistakenAspect;
  /** Several attempts if the mistake has several forms, none if it does not apply. `right` may already be altered. */
  readonly reproduce: (right: SigningAttempt, request: ExplainableRequest) => Iterable<SigningAttempt>;
}

/** The canonical string in parts, so that mistakes can alter each. */
export interface SigningAttempt {
  readonly algorithm: 'sha256' | 'sha1' | 'sha512';
  readonly key: Buffer;
  readonly method: string;
  readonly target: Buffer;
  readonly timestamp: string;
  /** `undefined` if the whole line is left out. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
  readonly separator: string;
  /** Parts left out at the end, with the separators before them. */
  readonly lost: number;
}

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

export function attemptSize({ key, target, contentType = '', body }: SigningAttempt): number {
  return key.byteLength + target.byteLength + contentType.length + body.byteLength;
}

export function attemptDigest(attempt: SigningAttempt): Buffer {
  const hmac = createHmac(attempt.algorithm, attempt.key);
  for (const piece of listPieces(attempt)) hmac.update(piece);
  return hmac.digest();
}

export function attemptBytes(attempt: SigningAttempt): Buffer {
  return Buffer.concat(listPieces(attempt).map((piece) => Buffer.from(piece)));
}

/** Not concatenated: a search hashes thousands of attempts over one body. */
function listPieces({ method, target, separator, timestamp, contentType, body, lost }: SigningAttempt) {
  const tail = [timestamp, ...(contentType === undefined ? [] : [contentType]), ''];
  const end = `${separator}${tail.slice(0, tail.length - lost).join(separator)}`;
  return [`${method}${separator}`, target, end, body];
}
