import { conversionHint, decodeUtf8, isProbablyMisread } from '../../text/utf8.js';

/** Makes an error. `what` continues a sentence about the source, and does not quote the secret. */
export type RefuseSecret = (what: string, cause?: unknown) => Error;

export function dropTrailingNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/** Without one trailing newline; `''` for newlines only, which a source without a secret may give. */
function trimSecret(text: string): string {
  return /^[\r\n]*$/.test(text) ? '' : dropTrailingNewline(text);
}

/**
 * The secret that stdin, a file or a command gave, without a byte-order mark and one trailing newline.
 * @throws the error from `refuse` unless it is UTF-8 without NUL
 */
export function decodeSecret(bytes: Uint8Array, refuse: RefuseSecret): string {
  const text = decodeUtf8(bytes, (what, cause) => refuse(`${what}; ${conversionHint}`, cause));
  return requireNoNul(trimSecret(text), refuse);
}

/**
 * The secret in a variable or an answer, which Node.js has decoded, without a byte-order mark and one trailing newline.
 * @throws the error from `refuse` if it was probably not UTF-8, or has a NUL
 */
export function checkDecodedSecret(text: string, refuse: RefuseSecret): string {
  if (isProbablyMisread(text)) {
    throw refuse(`contains U+FFFD, so it was probably not UTF-8 text; ${conversionHint}`);
  }
  return requireNoNul(trimSecret(text.replace(/^\uFEFF/, '')), refuse);
}

/** @throws the error from `refuse` for text with a NUL, which neither PostgreSQL nor an environment variable can have */
export function requireNoNul(text: string, refuse: RefuseSecret): string {
  if (!text.includes('\0')) return text;
  throw refuse('contains a NUL character; if it is UTF-16 text, convert it to UTF-8 first');
}
