import { isUtf8 } from 'node:buffer';
import { mask, redactedHeader, redactedTarget, redactedText } from '../../redaction/redact.js';
import { redactedBody } from '../../redaction/redact-json.js';
import type { SignableRequest } from '../hmac/signature.js';
import { rightAttempt, type SignedLine, type SigningAttempt } from './attempt/signing-attempt.js';
import { escapeBytes, escapeCharacters } from './visible-escapes.js';

/** In characters: enough to see a difference, short enough for a log line. */
const shownLength = 4096;

/**
 * The canonical string on one line, for logs and terminals, with `\n` `\r` `\t` `\\`, `\xNN` and `\u{NN}`. Shows only
 * harmless fields of query and body, masks `secret` everywhere, and cuts the string after 4,096 characters.
 */
export function visibleCanonical(request: SignableRequest, secret = ''): string {
  return visibleAttempt(rightAttempt(secret, request), secret);
}

/** @param secret the key's secret, whatever the client signed with */
export function visibleAttempt(attempt: SigningAttempt, secret: string): string {
  const shown = attempt.lines.map((line) => visibleLine(line, attempt, secret));
  const line = shown.join(escapeCharacters(attempt.separator));
  if (line.length <= shownLength) return line;
  const end = shownEnd(line);
  return `${line.slice(0, end)}… (${line.length - end} more characters)`;
}

/** One signed part, as `visibleCanonical` shows it. */
export function visibleLine(line: SignedLine, attempt: SigningAttempt, secret: string): string {
  const bytes = maskSecretBytes(secret, Buffer.from(attempt[line]));
  if (line === 'body') return bytes.byteLength === 0 ? '' : visibleBody(bytes);
  if (line === 'target') return toVisible(bytes, redactedTarget);
  if (line === 'contentType') return toVisible(bytes, (text) => redactedHeader('content-type', text));
  return toVisible(bytes, redactedText);
}

/** Runs before anything is cut or masked, so that no part of a secret is left. */
function maskSecretBytes(secret: string, bytes: Buffer): Buffer {
  if (secret === '') return bytes;
  const pattern = Buffer.from(secret).toString('latin1');
  return Buffer.from(bytes.toString('latin1').replaceAll(pattern, mask), 'latin1');
}

function shownEnd(line: string): number {
  const isSplit = (line.codePointAt(shownLength - 1) ?? 0) > 0xffff;
  return isSplit ? shownLength - 1 : shownLength;
}

function toVisible(bytes: Buffer, redact: (text: string) => string): string {
  return isUtf8(bytes)
    ? escapeCharacters(redact(bytes.toString('utf8')))
    : escapeBytes(redact(bytes.toString('latin1')));
}

function visibleBody(body: Buffer): string {
  const shown = redactedBody(body);
  return 'json' in shown ? escapeCharacters(shown.json) : shown.measures;
}
