import { createHash, createHmac } from 'node:crypto';
import type { SignableRequest } from '../../hmac/signature.js';

/** A request with a signature to explain. */
export interface ExplainableRequest extends SignableRequest {
  /** Such as `https://api.example.com`, to find clients that sign the full URL. */
  readonly origin?: string | undefined;
  /** Some clients sign with it instead of the secret. */
  readonly keyId?: string | undefined;
}

/** Parts that a mistake alters. Two mistakes in the same part are never combined. */
export type MistakenAspect =
  | 'key ID'
  | 'secret'
  | 'method'
  | 'query'
  | 'escapes'
  | 'path'
  | 'trailing slash'
  | 'origin'
  | 'body'
  | 'line endings'
  | 'body hash'
  | 'content type'
  | 'end'
  | 'algorithm'
  | 'encoding'
  | 'layout'
  | 'timestamp';

/** A known mistake and its fix. */
export interface NamedMistake {
  /** Stable; `+` joins the IDs of a pair. */
  readonly id: string;
  /** Completes the sentence "The signature was made …", or "The signature is …" with `ofForm`. */
  readonly description: string;
  /** Whether only the form of the signature is wrong. */
  readonly ofForm?: true;
  /** The mistake as a full clause, where that is clearer than `description`. */
  readonly clause?: string;
  /** An imperative sentence in lower case, without a period. */
  readonly advice: string;
}

/** The mistakes in one sentence, in lower case, without a period. */
export function describeMistakes(mistakes: readonly NamedMistake[]): string {
  const clauses = mistakes.flatMap(({ clause }) => clause ?? []);
  const others = mistakes.filter(({ clause }) => clause === undefined);
  const made = others.filter(({ ofForm }) => !ofForm).map(({ description }) => description);
  const forms = others.filter(({ ofForm }) => ofForm).map(({ description }) => `is ${description}`);
  const predicates = [...(made.length === 0 ? [] : [`was made ${made.join(', and ')}`]), ...forms];
  return [
    ...clauses,
    ...(predicates.length === 0 ? [] : [`the signature ${predicates.join(', and ')}`]),
  ].join(', and ');
}

export interface SigningMistake extends NamedMistake {
  readonly aspect: MistakenAspect;
  /** Several attempts for a mistake with several forms, none if it does not apply. `right` may already be altered. */
  readonly reproduce: (right: SigningAttempt, request: ExplainableRequest) => Iterable<SigningAttempt>;
  /** Rare, or with too many forms to combine with another mistake. */
  readonly isAlone?: boolean;
  /** Whether no form is likelier than another, so that each is worth a thousand attempts with milliseconds. */
  readonly isAnyFormLikely?: boolean;
}

/** A line of the canonical string, or the key ID, which some clients sign. */
export type SignedLine = 'method' | 'target' | 'timestamp' | 'contentType' | 'body' | 'keyId';

/** In the order of the API reference. */
export const signedLines: readonly SignedLine[] = ['method', 'target', 'timestamp', 'contentType', 'body'];

/** The canonical string in parts, so that mistakes can alter each. */
export interface SigningAttempt {
  readonly algorithm: 'sha256' | 'sha1' | 'sha384' | 'sha512' | 'md5';
  /** `hash`: no secret. `secret first`, `secret last`: hash of secret and string. `swapped`: the string is the key. */
  readonly keyed: 'hmac' | 'hash' | 'secret first' | 'secret last' | 'swapped';
  readonly encoding: 'utf8' | 'utf16le';
  readonly key: Buffer;
  readonly method: string;
  readonly target: Buffer;
  readonly timestamp: string;
  readonly contentType: string;
  readonly body: Buffer;
  readonly keyId: string;
  readonly separator: string;
  readonly lines: readonly SignedLine[];
}

export function rightAttempt(secret: string, request: ExplainableRequest): SigningAttempt {
  return {
    algorithm: 'sha256',
    keyed: 'hmac',
    encoding: 'utf8',
    key: Buffer.from(secret),
    method: request.method.toUpperCase(),
    target: Buffer.from(request.target),
    timestamp: request.timestamp,
    contentType: request.body.byteLength === 0 ? '' : request.contentType,
    body: Buffer.from(request.body),
    keyId: request.keyId ?? '',
    separator: '\n',
    lines: signedLines,
  };
}

export function withoutLine(attempt: SigningAttempt, left: SignedLine): SigningAttempt {
  return { ...attempt, lines: attempt.lines.filter((line) => line !== left) };
}

export function withBodies(right: SigningAttempt, bodies: readonly (Buffer | string)[]): SigningAttempt[] {
  return bodies
    .map((body) => Buffer.from(body))
    .filter((body) => !body.equals(right.body))
    .map((body) => ({ ...right, body }));
}

export function withTargets(right: SigningAttempt, latin1: Iterable<string>): SigningAttempt[] {
  return [...new Set(latin1)]
    .map((target) => Buffer.from(target, 'latin1'))
    .filter((target) => !target.equals(right.target))
    .map((target) => ({ ...right, target }));
}

export function attemptSize({ key, target, contentType, body }: SigningAttempt): number {
  return key.byteLength + target.byteLength + contentType.length + body.byteLength;
}

export function attemptDigest(attempt: SigningAttempt): Buffer {
  const { algorithm, keyed, key } = attempt;
  if (keyed === 'swapped') return createHmac(algorithm, attemptBytes(attempt)).update(key).digest();
  const hash = keyed === 'hmac' ? createHmac(algorithm, key) : createHash(algorithm);
  if (keyed === 'secret first') hash.update(key);
  for (const piece of listPieces(attempt)) hash.update(piece);
  if (keyed === 'secret last') hash.update(key);
  return hash.digest();
}

export function attemptBytes(attempt: SigningAttempt): Buffer {
  return Buffer.concat(listPieces(attempt).map((piece) => Buffer.from(piece)));
}

/** The parts of the string, not concatenated, because a search hashes thousands of attempts over one body. */
function listPieces(attempt: SigningAttempt): (string | Buffer)[] {
  const { lines, separator, encoding } = attempt;
  const pieces: (string | Buffer)[] = [];
  let text = '';
  for (const [index, line] of lines.entries()) {
    if (index > 0) text += separator;
    const value = attempt[line];
    if (typeof value === 'string') text += value;
    else {
      pieces.push(text, value);
      text = '';
    }
  }
  pieces.push(text);
  if (encoding === 'utf8') return pieces;
  return pieces.map((piece) => Buffer.from(piece.toString(), encoding));
}
