import { mask, redactedHeader, redactedTarget, redactedText } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { SignableRequest } from '../hmac/signature.js';
import { readBytes, type Signed, type SignedLine, signedRight, toBytes } from './mistake.js';

/** In characters. */
const shownLength = 4096;

/**
 * The canonical string on one line, for logs and terminals, with `\n` `\r` `\t` `\\`, `\xNN` and `\u{NN}`. Shows only
 * harmless fields of query and body, masks `secret` everywhere, and cuts the string after 4,096 characters.
 */
export function visibleCanonical(request: SignableRequest, secret = ''): string {
  return visibleSigned(signedRight(secret, request), secret);
}

/** @param secret the key's secret, whatever the client signed with */
export function visibleSigned(signed: Signed, secret: string): string {
  // Before anything is cut or redacted, so that no part of a secret is left.
  const masked = (bytes: string) => (secret === '' ? bytes : bytes.replaceAll(toBytes(secret), mask));
  const shown = signed.lines.map((line) => visibleLine(line, masked(signed[line])));
  const line = shown.join(escapeCharacters(signed.separator));
  if (line.length <= shownLength) return line;
  return `${line.slice(0, shownLength)}… (${line.length - shownLength} more characters)`;
}

function visibleLine(line: SignedLine, bytes: string): string {
  if (line === 'body') {
    const shown = redactedBody(Buffer.from(bytes, 'latin1'));
    if (bytes === '') return '';
    return 'json' in shown ? escapeCharacters(shown.json) : shown.measures;
  }
  const redact = {
    target: redactedTarget,
    contentType: (text: string) => redactedHeader('content-type', text),
    method: redactedText,
    timestamp: redactedText,
  }[line];
  const text = readBytes(bytes);
  return text === undefined ? escapeBytes(redact(bytes)) : escapeCharacters(redact(text));
}

const namedEscapes = new Map([
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\\', '\\\\'],
]);

function escapeCharacters(text: string): string {
  return text.replace(/[\\\p{C}\p{Zl}\p{Zp}]/gu, (character) => {
    const code = character.codePointAt(0) ?? 0;
    return code < 0x80 ? escapeBytes(character) : `\\u{${code.toString(16)}}`;
  });
}

/** Like `escapeCharacters`, for bytes given as Latin-1. */
function escapeBytes(text: string): string {
  const inHex = (byte: string) => `\\x${byte.charCodeAt(0).toString(16).padStart(2, '0')}`;
  return text.replace(/[^\x20-\x5b\x5d-\x7e]/g, (byte) => namedEscapes.get(byte) ?? inHex(byte));
}
