import { UsageError } from '../errors/errors.js';

/** Decodes text without its byte-order mark. @throws UsageError naming `name` for bytes that are not UTF-8 */
export function decodeText(bytes: Uint8Array, name: string): string {
  return decodeUtf8(bytes, (what, cause) => new UsageError(`${name} ${what}`, { cause }));
}

/** @throws the error from `refuse`; `what` continues a sentence */
export function decodeUtf8(bytes: Uint8Array, refuse: (what: string, cause: unknown) => Error): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    // PowerShell's redirection writes UTF-16; its byte-order marks never occur in UTF-8.
    const isUtf16 = /^(?:fffe|feff)/.test(Buffer.from(bytes.subarray(0, 2)).toString('hex'));
    throw refuse(isUtf16 ? 'is UTF-16 text, not UTF-8' : 'is not UTF-8 text', error);
  }
}
