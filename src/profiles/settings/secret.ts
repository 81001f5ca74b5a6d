import { UsageError } from '../../errors/errors.js';
import { keyIdPrefix, secretLength } from '../../redaction/harmless.js';
import { decodeUtf8 } from '../../text/utf8.js';

const conversionHint = 'convert it to UTF-8 first';

/** Makes an error. `what` continues a sentence about the source, and does not quote the secret. */
export type RefuseSecret = (what: string, cause?: unknown) => Error;

export function dropTrailingNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** The secret without byte-order mark and one trailing newline. @throws the error from `refuse` unless it is UTF-8 without NUL */
export function decodeSecret(bytes: Uint8Array, refuse: RefuseSecret): string {
  const text = decodeUtf8(bytes, (what, cause) => refuse(`${what}; ${conversionHint}`, cause));
  return checkDecodedSecret(text, refuse);
}

/** As `decodeSecret`, for text that Node.js has decoded. `''` for newlines only. */
export function checkDecodedSecret(text: string, refuse: RefuseSecret): string {
  if (/[\uFFFD\0]/.test(text))
    throw refuse(`contains U+FFFD or NUL, so it was probably not UTF-8 text; ${conversionHint}`);
  const secret = text.replace(/^\uFEFF/, '');
  return /^[\r\n]*$/.test(secret) ? '' : dropTrailingNewline(secret);
}

/** The secret in a variable. @throws the error from `refuse`, also if it is not set */
export function readVariable(
  name: string,
  env: Readonly<Record<string, string | undefined>>,
  refuse: RefuseSecret,
): string {
  const value = env[name];
  if (value === undefined) throw refuse('is not set');
  return checkDecodedSecret(value, refuse);
}

/** @throws the error from `refuse`, also for quotes, spaces or invisible characters around the secret */
export function requireSecret(secret: string, refuse: RefuseSecret): string {
  if (/^[\r\n]*$/.test(secret)) throw refuse('is empty');
  if (/^(["']).*\1$|^[\s\p{Cc}\p{Cf}]|[\s\p{Cc}\p{Cf}]$/su.test(secret))
    throw refuse('is in quotes, or begins or ends with a space or an invisible character');
  return secret;
}

/** The last four characters would reveal too much of a shorter secret. */
export function maskSecret(secret: string): string {
  return secret.length < 32 ? 'set' : `…${secret.slice(-4)}`;
}

/** Errors do not quote the text, which is the secret if the two were swapped. @throws UsageError */
export function parseKeyId(text: string): string {
  if (text.length === secretLength && !text.startsWith(keyIdPrefix))
    throw new UsageError(
      `not a key ID, which begins with ${keyIdPrefix}: it has the form of a secret; are the two swapped?`,
    );
  if (/^[!#-&(-9;-~]+$/.test(text)) return text;
  throw new UsageError('a key ID consists of visible ASCII characters without spaces, quotes or colons');
}

/** Hides what is no key ID: it is the secret if the two were swapped. */
export function displayKeyId(keyId: string): string {
  return keyId.startsWith(keyIdPrefix) ? keyId : 'a value that does not begin with key_';
}
