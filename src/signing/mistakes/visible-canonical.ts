import { mask, redactedHeader, redactedTarget, redactedText } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { SignableRequest } from '../hmac/signature.js';
import { readBytes, type Signed, type SignedLine, signedRight, toBytes } from './signed.js';
import { escapeBytes, escapeCharacters } from './visible-escapes.js';

/** In characters: enough to see a difference, short enough for a log line. */
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
  const shown = signed.lines.map((line) => visibleLine(line, signed, secret));
  const line = shown.join(escapeCharacters(signed.separator));
  if (line.length <= shownLength) return line;
  const isSplit = (line.codePointAt(shownLength - 1) ?? 0) > 0xffff;
  const end = isSplit ? shownLength - 1 : shownLength;
  return `${line.slice(0, end)}… (${line.length - end} more characters)`;
}

/** One signed part, as `visibleCanonical` shows it. */
export function visibleLine(line: SignedLine, signed: Signed, secret: string): string {
  // Before anything is cut or masked, so that no part of a secret is left.
  const bytes = secret === '' ? signed[line] : signed[line].replaceAll(toBytes(secret), mask);
  if (line === 'body') return bytes === '' ? '' : visibleBody(Buffer.from(bytes, 'latin1'));
  const redact = {
    target: redactedTarget,
    contentType: redactedContentType,
    method: redactedText,
    timestamp: redactedText,
  };
  const text = readBytes(bytes);
  return text === undefined ? escapeBytes(redact[line](bytes)) : escapeCharacters(redact[line](text));
}

function redactedContentType(text: string): string {
  return redactedHeader('content-type', text);
}

function visibleBody(body: Buffer): string {
  const shown = redactedBody(body);
  return 'json' in shown ? escapeCharacters(shown.json) : shown.measures;
}
