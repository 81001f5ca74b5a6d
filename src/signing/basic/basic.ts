import { isUtf8 } from 'node:buffer';
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import { UsageError } from '../../errors/errors.js';

export interface Credential {
  readonly keyId: string;
  readonly secret: string;
}

/** Refuses an empty secret, which would authenticate anyone. @throws UsageError naming `what` */
export function requireSecret(what: string, secret: unknown): void {
  if (typeof secret === 'string' && secret !== '') return;
  throw new UsageError(`${what}: \`secret\` is ${secret === '' ? 'empty' : 'not a string'}`, {
    hint: 'check its source: an unset variable often reads as an empty string',
  });
}

/** The value of `Authorization`: `Basic base64(<key_id>:<secret>)`. @throws UsageError for an empty secret */
export function basicAuthorization(credential: Credential): string {
  requireSecret('basicAuthorization', credential.secret);
  return `Basic ${Buffer.from(`${credential.keyId}:${credential.secret}`).toString('base64')}`;
}

const basicPattern = /^basic ([A-Za-z0-9+/]+={0,2})$/i;

/** `undefined` unless the header has padded base64 of UTF-8 with a colon. Ignores the scheme's case (RFC 7617). */
export function parseBasicAuthorization(header: string): Credential | undefined {
  const encoded = basicPattern.exec(header)?.[1];
  if (encoded === undefined) return undefined;
  const decoded = Buffer.from(encoded, 'base64');
  // Node decodes almost anything; only canonical base64 encodes back to the same text.
  if (decoded.toString('base64') !== encoded || !isUtf8(decoded)) return undefined;
  const text = decoded.toString('utf8');
  const colon = text.indexOf(':');
  return colon === -1 ? undefined : { keyId: text.slice(0, colon), secret: text.slice(colon + 1) };
}

/** Compares hashes, so that timing does not even reveal whether the lengths differ. */
export function equalInConstantTime(left: string, right: string): boolean {
  return timingSafeEqual(digest(left), digest(right));
}

// Makes the digests unpredictable to a client.
const comparisonKey = randomBytes(32);

function digest(text: string): Buffer {
  return createHmac('sha256', comparisonKey).update(text).digest();
}
