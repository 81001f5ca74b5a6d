import { createHmac } from 'node:crypto';
import type { SignableRequest } from './canonical-string.js';

/** A request whose signature is to be explained. */
export interface ExplainableRequest extends SignableRequest {
  /** Scheme, host and port where known (`https://api.example.com`): what a full URL would begin with. */
  readonly origin?: string | undefined;
}

/** A mistake that is known to be made when signing. */
export interface SigningMistake {
  readonly id: string;
  /** Completes the sentence "The signature was made …". */
  readonly description: string;
  /** What is signed, for this request, by whoever makes the mistake; several where it has several forms. */
  readonly reproduce: (right: SigningAttempt, request: ExplainableRequest) => Iterable<SigningAttempt>;
}

/** What somebody may have signed: the canonical string in its parts, so that a mistake can alter each of them. */
export interface SigningAttempt {
  readonly algorithm: 'sha256' | 'sha1' | 'sha512';
  readonly key: Buffer;
  readonly method: string;
  readonly target: Buffer;
  readonly timestamp: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** What stands between the parts. */
  readonly separator: string;
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
  };
}

/** The HMAC of an attempt, not yet spelled as text. */
export function attemptDigest(attempt: SigningAttempt): Buffer {
  const { separator, timestamp, contentType } = attempt;
  return createHmac(attempt.algorithm, attempt.key)
    .update(`${attempt.method}${separator}`)
    .update(attempt.target)
    .update(`${separator}${timestamp}${separator}${contentType}${separator}`)
    .update(attempt.body)
    .digest();
}
