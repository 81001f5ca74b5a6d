import { conversionHint, decodeUtf8, isProbablyMisread } from '../../text/utf8.js';

/** Makes an error. `what` continues a sentence about the source, and does not quote the secret. */
export type RefuseSecret = (what: string, cause?: unknown) => Error;

export function dropTrailingNewline(text: string): string {
  return text.replace(/\r?\n$/, '');
}

/**
 * The secret that stdin, a file or a command gave, without a byte-order mark and one trailing newline.
 * @throws the error from `refuse` unless it is UTF-8 without NUL
 */
export function decodeSecret(bytes: Uint8Array, refuse: RefuseSecret): string {
  const text = decodeUtf8(bytes, (what, cause) => refuse(`${what}; ${conversionHint}`, cause));
  return checkDecodedSecret(text, refuse);
}

/** As `decodeSecret`, for a variable or an answer, which Node.js has decoded. `''` for newlines only. */
export function checkDecodedSecret(text: string, refuse: RefuseSecret): string {
  if (isProbablyMisread(text) || text.includes('\0'))
    throw refuse(`contains U+FFFD or NUL, so it was probably not UTF-8 text; ${conversionHint}`);
  const secret = text.replace(/^\uFEFF/, '');
  return /^[\r\n]*$/.test(secret) ? '' : dropTrailingNewline(secret);
}
