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

/** The bytes of a text in UTF-8, or of a buffer, in Latin-1. */
export function toBytes(text: string | Uint8Array): string {
  return Buffer.from(text).toString('latin1');
}

/** The text of bytes in Latin-1; `undefined` if they are not UTF-8. */
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
