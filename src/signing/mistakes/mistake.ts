import { isUtf8 } from 'node:buffer';
import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { SignableRequest } from '../hmac/signature.js';

export interface ExplainableRequest extends SignableRequest {
  /** Such as `https://api.example.com`, to find clients that sign the full URL. */
  readonly origin?: string | readonly string[] | undefined;
  /** Some clients sign with it instead of the secret. */
  readonly keyId?: string | undefined;
}

export type SignedLine = 'method' | 'target' | 'timestamp' | 'contentType' | 'body';

/** What was signed, and how. Texts are bytes in Latin-1, a character each, so that mistakes can alter any bytes. */
export interface Signed extends Readonly<Record<SignedLine, string>> {
  readonly algorithm: 'sha256' | 'sha1' | 'sha512';
  /** `hash`: no secret. `secret first`, `secret last`: hash of secret and string. `swapped`: the string is the key. */
  readonly keyed: 'hmac' | 'hash' | 'secret first' | 'secret last' | 'swapped';
  readonly key: string;
  readonly separator: string;
  readonly lines: readonly SignedLine[];
}

/** The bytes of a text (in UTF-8) or buffer, as a Latin-1 string. */
export function toBytes(text: string | Uint8Array): string {
  return Buffer.from(text).toString('latin1');
}

/** The text of UTF-8 bytes in a Latin-1 string; `undefined` if they are not UTF-8. */
export function readBytes(latin1: string): string | undefined {
  const bytes = Buffer.from(latin1, 'latin1');
  return isUtf8(bytes) ? bytes.toString('utf8') : undefined;
}

export function signedRight(secret: string, request: ExplainableRequest): Signed {
  return {
    algorithm: 'sha256',
    keyed: 'hmac',
    key: toBytes(secret),
    method: toBytes(request.method.toUpperCase()),
    target: toBytes(request.target),
    timestamp: toBytes(request.timestamp),
    contentType: request.body.byteLength === 0 ? '' : toBytes(request.contentType),
    body: toBytes(request.body),
    separator: '\n',
    lines: ['method', 'target', 'timestamp', 'contentType', 'body'],
  };
}

export function signedSize({ key, target, contentType, body }: Signed): number {
  return key.length + target.length + contentType.length + body.length;
}

export function signedText(signed: Signed): string {
  return signed.lines.map((line) => signed[line]).join(signed.separator);
}

export function hasDigest(signed: Signed, digest: Buffer): boolean {
  const made = digestOf(signed);
  return made.byteLength === digest.byteLength && timingSafeEqual(made, digest);
}

function digestOf(signed: Signed): Buffer {
  const { algorithm, keyed } = signed;
  const [key, text] = [Buffer.from(signed.key, 'latin1'), Buffer.from(signedText(signed), 'latin1')];
  if (keyed === 'hmac') return createHmac(algorithm, key).update(text).digest();
  if (keyed === 'swapped') return createHmac(algorithm, text).update(key).digest();
  const parts = { hash: [text], 'secret first': [key, text], 'secret last': [text, key] }[keyed];
  return createHash(algorithm).update(Buffer.concat(parts)).digest();
}

export interface NamedMistake {
  /** Stable; `+` joins the IDs of a pair. */
  readonly id: string;
  /** Completes the sentence "The signature was made …", or "The signature is …" with `ofForm`. */
  readonly description: string;
  readonly ofForm?: true;
  /** The mistake as a full clause, where that is clearer than `description`. */
  readonly clause?: string;
  /** An imperative sentence in lower case, without a period. */
  readonly advice: string;
}

export interface SigningMistake extends NamedMistake {
  /** What it alters. Two mistakes in one aspect are never combined. */
  readonly aspect: string;
  /** What is signed instead; except in `milliseconds`, unchanged forms are skipped. `right` may hold another mistake. */
  readonly forms: (right: Signed, request: ExplainableRequest) => readonly Partial<Signed>[];
  /** Never combined with another `SigningMistake`: rare, or with too many forms. */
  readonly isAlone?: true;
}

/** A mistake in one part; a form that is text replaces the part. */
interface PartMistake extends Omit<SigningMistake, 'id' | 'aspect' | 'forms'> {
  /** Default: the part. */
  readonly aspect?: string;
  readonly forms: (
    text: string,
    request: ExplainableRequest,
    right: Signed,
  ) => readonly (string | Partial<Signed>)[];
}

export function ofPart(
  part: SignedLine | 'key' | 'separator' | 'keyed' | 'algorithm',
  rows: Readonly<Record<string, PartMistake>>,
): SigningMistake[] {
  const toForm = (form: string | Partial<Signed>) => (typeof form === 'string' ? { [part]: form } : form);
  return Object.entries(rows).map(([id, row]) => ({
    id,
    aspect: part,
    ...row,
    forms: (right, request) => row.forms(right[part], request, right).map(toForm),
  }));
}

export function describeMistakes(mistakes: readonly NamedMistake[]): string {
  const others = mistakes.filter(({ clause }) => clause === undefined);
  const made = others.filter(({ ofForm }) => !ofForm).map(({ description }) => description);
  const forms = others.filter(({ ofForm }) => ofForm).map(({ description }) => `is ${description}`);
  const predicates = [...(made.length === 0 ? [] : [`was made ${made.join(', and ')}`]), ...forms];
  const clauses = mistakes.flatMap(({ clause }) => clause ?? []);
  if (predicates.length > 0) clauses.push(`the signature ${predicates.join(', and ')}`);
  return clauses.join(', and ');
}
