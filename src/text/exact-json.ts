import { randomUUID } from 'node:crypto';
import { ExactNumber, parseNumber, withPrintedNumbers } from './exact-number.js';

// JSON with exact numbers: a number that a double would change passes through `JSON.parse` and `JSON.stringify` as a marked
// string. Node 20 has no `JSON.rawJSON`, and lossless-json would need 30 bytes of heap per character.

/** A double might change these numbers: long, with an exponent, or `-0`. Matches in strings only cost time. */
const suspicious = /[ \n\r\t:,[][-\d](?:(?<=-)0|[\d.]{15}|[\d.]*[eE])/;

/** For a text that is a single number; as a part of `suspicious`, this would double the time. */
const scalarStart = /^[-\d]/;

/** The deepest nesting; safe for recursion. */
export const deepestJson = 128;

/** Unguessable, so no other string begins with it. */
let numberMarker: string | undefined;

/** `JSON.parse`, but with an {@link ExactNumber} for each number that it would change. @throws SyntaxError */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!suspicious.test(text) && !scalarStart.test(text)) return value;
  return parseNumbers(text, value, (number) => typeof parseNumber(number) !== 'number');
}

/** Like `parseJson`, but also keeps numbers that JavaScript only writes differently, such as 2.0. @throws SyntaxError */
export function parseAsWritten(text: string): unknown {
  return parseNumbers(text, JSON.parse(text), (number) => String(Number(number)) !== number);
}

function parseNumbers(text: string, value: unknown, isKept: (number: string) => boolean): unknown {
  numberMarker ??= randomUUID();
  const mark = numberMarker;
  const marked = markNumbers(text, mark, isKept);
  return marked === undefined ? value : parseMarked(marked, mark);
}

/** `parseJson`, but `undefined` instead of a SyntaxError, whose message quotes the text. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/** Avoids `Object.values`, which would take five times as long; this checks every response. */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (!isJsonObject(value)) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((member) => isDeeperThan(levels - 1, member));
  for (const name in value) if (isDeeperThan(levels - 1, value[name])) return true;
  return false;
}

function isJsonObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}

function parseMarked(marked: string, mark: string): unknown {
  try {
    return JSON.parse(marked, (_key, value: unknown) =>
      typeof value === 'string' && value.startsWith(mark) ? new ExactNumber(value.slice(mark.length)) : value,
    );
  } catch (error) {
    throw error instanceof RangeError ? new SyntaxError('nested too deeply', { cause: error }) : error;
  }
}

/** `undefined` if no number needs a mark. */
function markNumbers(text: string, mark: string, isKept: (number: string) => boolean): string | undefined {
  const token = /"|-?\d[\d.eE+-]*/g;
  const pieces: string[] = [];
  let copied = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [piece] = found;
    if (piece === '"') token.lastIndex = findStringEnd(text, token.lastIndex);
    else if (isKept(piece)) {
      pieces.push(text.slice(copied, found.index), `"${mark}${piece}"`);
      copied = token.lastIndex;
    }
  }
  return copied === 0 ? undefined : pieces.join('') + text.slice(copied);
}

/** The index after the closing quote of a string that began before `from`. */
export function findStringEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/** `JSON.stringify` with exact numbers; `null` if JSON cannot express it. */
export function printJson(value: unknown, indent?: number | string): string {
  let mark: string | undefined;
  const print = (text: string) => {
    numberMarker ??= randomUUID();
    mark = numberMarker;
    return mark + text;
  };
  const json: string | undefined = withPrintedNumbers(print, () => JSON.stringify(value, null, indent));
  if (json === undefined) return 'null';
  return mark === undefined ? json : json.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}
