import { isUtf8 } from 'node:buffer';
import { findStringEnd, tryParseJson } from '../text/exact-json.js';
import { hasHarmlessForm, isContainer, isHarmlessField } from './harmless.js';
import { describeBytes, mask, redactedText } from './redact.js';

/** In bytes; of larger bodies, only size and part of the hash are shown. */
const longestBody = 16_384;

/** In levels; deeper objects and lists are masked. */
const deepestRedacted = 16;

const quotedMask = JSON.stringify(mask);

/** An open object or list. */
interface Level {
  readonly isObject: boolean;
  /** The field whose value comes next. */
  name: string | undefined;
}

/**
 * Masks the values in JSON text, except plain values of harmless fields. Works on the text: logs must show it as it was
 * signed, and the sender decides how deep it is nested.
 * @param longest about how many characters to return at most
 * @param hide masks parts of a text, such as an echoed password
 */
export function redactedJson(
  json: string,
  longest = Number.POSITIVE_INFINITY,
  hide = (text: string): string => text,
): string {
  const levels: Level[] = [];
  let redacted = '';
  let maskedLevels = 0;
  for (let at = 0; at < json.length && redacted.length < longest; ) {
    const end = tokenEnd(json, at);
    const token = json.slice(at, end);
    at = end;
    const level = levels.at(-1);
    const opens = token === '{' || token === '[';
    const closes = token === '}' || token === ']';
    if (maskedLevels > 0) maskedLevels += opens ? 1 : closes ? -1 : 0;
    else if (opens && isSeen(level, levels.length)) {
      levels.push({ isObject: token === '{', name: undefined });
      redacted += token;
    } else if (opens) {
      maskedLevels = 1;
      redacted += quotedMask;
    } else if (punctuation.has(token)) {
      if (closes) levels.pop();
      if (token === ',' && level !== undefined) level.name = undefined;
      redacted += token;
    } else if (level?.isObject && level.name === undefined) {
      level.name = String(JSON.parse(token));
      redacted += showToken(token);
    } else {
      redacted += showPlain(token, level?.name, hide);
    }
  }
  return redacted;
}

/** Masked JSON, or size and part of the hash of a body that is long or not JSON. */
export function redactedBody(body: Uint8Array): { readonly json: string } | { readonly measures: string } {
  const text = body.byteLength <= longestBody && isUtf8(body) ? Buffer.from(body).toString('utf8') : '';
  const isJson = tryParseJson(text) !== undefined;
  return isJson ? { json: redactedJson(text) } : { measures: `(${describeBytes(body)})` };
}

const punctuation: ReadonlySet<string> = new Set('{}[]:, \t\r\n');

function tokenEnd(json: string, start: number): number {
  if (json[start] === '"') return findStringEnd(json, start + 1);
  let at = start + 1;
  if (punctuation.has(json[start] ?? '')) return at;
  while (at < json.length && !punctuation.has(json[at] ?? '')) at += 1;
  return at;
}

function isSeen(level: Level | undefined, depth: number): boolean {
  const name = level?.name;
  return depth < deepestRedacted && (name === undefined || isContainer(name));
}

function showPlain(token: string, name: string | undefined, hide: (text: string) => string): string {
  if (name === undefined) return quotedMask;
  // Not secret: it only says that there is no value, such as no next page.
  if (token === 'null') return token;
  const isText = token.startsWith('"');
  const isShown = isHarmlessField(name) && (!isText || hasHarmlessForm(name, String(JSON.parse(token))));
  return isShown ? showToken(token, hide) : quotedMask;
}

function showToken(token: string, hide = (text: string): string => text): string {
  if (!token.startsWith('"')) return hide(token) === token ? token : quotedMask;
  const text = String(JSON.parse(token));
  const redacted = redactedText(hide(text));
  return redacted === text ? token : JSON.stringify(redacted);
}
