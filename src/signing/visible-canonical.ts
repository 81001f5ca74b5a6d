import { isUtf8 } from 'node:buffer';
import { canonicalString, type SignableRequest } from './canonical-string.js';

/** Bytes of the canonical string that are shown: enough to see a difference, few enough for a line of a log. */
const shownBytes = 4096;

const mask = '***';

/**
 * The canonical string on one line, for logs and terminals: line feed, carriage return and tab as `\n` `\r` `\t`, a
 * backslash as `\\`, other bytes and characters that do not print as `\xNN` or `\u{NN}`. Values of passwords, secrets and
 * tokens are masked, and so is `secret` wherever it occurs; what goes beyond 4 KiB is counted, not shown.
 */
export function visibleCanonical(request: SignableRequest, secret = ''): string {
  const canonical = without(secret, canonicalString(request));
  const head = canonical.subarray(0, shownEnd(canonical));
  const rest = canonical.byteLength - head.byteLength;
  const visible = isUtf8(head)
    ? escapeCharacters(maskSecrets(head.toString('utf8')))
    : escapeBytes(maskSecrets(head.toString('latin1')));
  return rest === 0 ? visible : `${visible}… (${rest} more bytes)`;
}

// Before anything is cut, so that no part of a secret is left.
function without(secret: string, bytes: Buffer): Buffer {
  if (secret === '') return bytes;
  const pattern = Buffer.from(secret).toString('latin1');
  return Buffer.from(bytes.toString('latin1').replaceAll(pattern, mask), 'latin1');
}

/** Not within a character: a UTF-8 character's further bytes are all 10xxxxxx. */
function shownEnd(canonical: Buffer): number {
  let end = shownBytes;
  while (end > shownBytes - 4 && ((canonical[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end;
}

const secretName = /[^"\\]{0,60}(?:password|passphrase|secret|token)[^"\\]{0,60}/.source;
// A string, one that was cut, a list or object with all that follows it, or a number.
const jsonValue = /"(?:[^"\\]|\\.)*(?:"|\\?$)|[[{].*|[^\s,"}\]]+/.source;
const jsonMember = new RegExp(`("${secretName}"\\s*:\\s*)(?:${jsonValue})`, 'gis');
const formField = /([\w.-]{0,60}(?:password|passphrase|secret|token)[\w.-]{0,60}=)[^&\s"]*/gi;
const urlPassword = /(:\/\/[^\s/:@"]{0,200}:)[^\s/@"]+@/g;

/** Text in which the values of passwords, secrets and tokens are masked, as far as JSON, forms and URLs give them away. */
export function maskSecrets(text: string): string {
  return text
    .replace(jsonMember, `$1"${mask}"`)
    .replace(formField, `$1${mask}`)
    .replace(urlPassword, `$1${mask}@`);
}

const shortEscapes = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\\', '\\\\'],
]);

function escapeCharacters(text: string): string {
  return text.replace(/[\\\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return shortEscapes.get(character) ?? (code < 0x80 ? byteEscape(code) : `\\u{${code.toString(16)}}`);
  });
}

/** For text that is not UTF-8: every character stands for one byte. */
function escapeBytes(text: string): string {
  return text.replace(
    /[^\x20-\x5b\x5d-\x7e]/g,
    (byte) => shortEscapes.get(byte) ?? byteEscape(byte.charCodeAt(0)),
  );
}

function byteEscape(code: number): string {
  return `\\x${code.toString(16).padStart(2, '0')}`;
}
