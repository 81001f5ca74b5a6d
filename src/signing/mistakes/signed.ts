import { isUtf8 } from 'node:buffer';
import { createHash, createHmac, hash, timingSafeEqual } from 'node:crypto';
import type { SignableRequest } from '../hmac/signature.js';

/** A request with a signature to explain. */
export interface ExplainableRequest extends SignableRequest {
  /** Such as `https://api.example.com`, to find clients that sign the full URL. */
  readonly origin?: string | undefined;
  /** Some clients sign with it instead of the secret. */
  readonly keyId?: string | undefined;
}

/** A line of the canonical string. */
export type SignedLine = 'method' | 'target' | 'timestamp' | 'contentType' | 'body';

/** In the order of the API reference. */
export const signedLines: readonly SignedLine[] = ['method', 'target', 'timestamp', 'contentType', 'body'];

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

/** What the service expects. */
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
    lines: signedLines,
  };
}

/** In bytes. */
export function signedSize({ key, target, contentType, body }: Signed): number {
  return key.length + target.length + contentType.length + body.length;
}

/** The canonical string. */
export function signedText(signed: Signed): string {
  return signed.lines.map((line) => signed[line]).join(signed.separator);
}

const digestBytes = { sha1: 20, sha256: 32, sha512: 64 } as const;

/** Whether some algorithm has digests of this length. */
export function isDigest({ byteLength }: Buffer): boolean {
  return Object.values<number>(digestBytes).includes(byteLength);
}

/** Tells what has this digest. Pads a key once (RFC 2104): `createHmac` takes several times as long. */
export function digestMatcher(digest: Buffer): (signed: Signed) => boolean {
  let padded = padKey('');
  return (signed) => {
    const { algorithm, keyed, key } = signed;
    if (digestBytes[algorithm] !== digest.byteLength) return false;
    if (algorithm !== 'sha256' || keyed !== 'hmac') return timingSafeEqual(digestOf(signed), digest);
    if (key !== padded.key) padded = padKey(key);
    const inner = hash('sha256', latin1(padded.inner + signedText(signed)), 'binary');
    return timingSafeEqual(hash('sha256', latin1(padded.outer + inner), 'buffer'), digest);
  };
}

const blockBytes = 64;

function padKey(key: string) {
  const short = key.length > blockBytes ? hash('sha256', latin1(key), 'binary') : key;
  const block = latin1(short.padEnd(blockBytes, '\0'));
  const pad = (mask: number) => Buffer.from(block.map((byte) => byte ^ mask)).toString('latin1');
  return { key, inner: pad(0x36), outer: pad(0x5c) };
}

function digestOf(signed: Signed): Buffer {
  const { algorithm, keyed } = signed;
  const [key, text] = [latin1(signed.key), latin1(signedText(signed))];
  if (keyed === 'hmac') return createHmac(algorithm, key).update(text).digest();
  if (keyed === 'swapped') return createHmac(algorithm, text).update(key).digest();
  const parts = { hash: [text], 'secret first': [key, text], 'secret last': [text, key] }[keyed];
  return createHash(algorithm).update(Buffer.concat(parts)).digest();
}

function latin1(text: string): Buffer {
  return Buffer.from(text, 'latin1');
}
