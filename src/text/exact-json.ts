import { randomUUID } from 'node:crypto';
import { ExactNumber, numberOf, withPrintedNumbers } from './exact-number.js';

/**
 * JSON whose numbers pass unchanged. The platform's own parser and printer do all the work: a number that a double would
 * change goes through them as a marked string. A library was measured (lossless-json): it needs 30 bytes of heap for each
 * character of a string, so that an answer of 16 MB ends a process of 256. Node.js 22 has `JSON.rawJSON`, 20 has not.
 */

/**
 * What a number looks like that a double may change: more than 15 digits, an exponent, or a minus before a zero. Strings
 * may look so too; then it takes longer, and nothing else.
 */
const suspicious = /[ \n\r\t:,[][-\d](?:(?<=-)0|[\d.]{15}|[\d.]*[eE])/;

/** A number alone. A start of the text in the expression above would take it twice the time. */
const scalar = /^[-\d]/;

/**
 * The deepest nesting of JSON or YAML that is read, from a person or a service: far more than a resource needs, far less
 * than would exhaust the stack of what recurses over it, such as printers and filters.
 */
export const deepest = 128;

/** Unguessable, and never printed: no string of others begins with it. */
let marker: string | undefined;

/**
 * `JSON.parse`, except that numbers that it would change become an {@link ExactNumber}.
 * @throws SyntaxError for what is not JSON, or nested so deeply that the platform's stack would not do
 */
export function parseJson(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!suspicious.test(text) && !scalar.test(text)) return value;
  marker ??= randomUUID();
  const mark = marker;
  const marked = markNumbers(text, mark);
  return marked === undefined ? value : parseMarked(marked, mark);
}

/** As `parseJson`; `undefined`, which no JSON stands for, in place of the error, whose message quotes the text. */
export function tryParseJson(text: string): unknown {
  try {
    return parseJson(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

/**
 * Whether a JSON value has more levels of objects and arrays than so many: what recurses over text of others must not
 * exhaust its stack. With Object.values it would take five times as long, and every answer is looked at.
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  if (!isObject(value)) return false;
  if (levels === 0) return true;
  if (Array.isArray(value)) return value.some((member) => isDeeperThan(levels - 1, member));
  for (const name in value) if (isDeeperThan(levels - 1, value[name])) return true;
  return false;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
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

/**
 * A text that is JSON, its numbers that a double would change as strings that begin with the mark; undefined when it has
 * none. Strings are stepped over piece by piece: no expression sees more than a number.
 */
function markNumbers(text: string, mark: string): string | undefined {
  const token = /"|-?\d[\d.eE+-]*/g;
  const pieces: string[] = [];
  let copied = 0;
  for (let found = token.exec(text); found !== null; found = token.exec(text)) {
    const [piece] = found;
    if (piece === '"') token.lastIndex = endOfString(text, token.lastIndex);
    else if (typeof numberOf(piece) !== 'number') {
      pieces.push(text.slice(copied, found.index), `"${mark}${piece}"`);
      copied = token.lastIndex;
    }
  }
  return copied === 0 ? undefined : pieces.join('') + text.slice(copied);
}

/** Where a string of valid JSON that began before `from` ends: behind its closing quotation mark. */
export function endOfString(text: string, from: number): number {
  let at = from;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
}

/**
 * `JSON.stringify`, with exact numbers as their own text; `null` for what JSON has no text for, such as undefined.
 * @param indent spaces for each level; without it all is on one line
 */
export function printJson(value: unknown, indent?: number): string {
  let mark: string | undefined;
  const print = (text: string) => {
    marker ??= randomUUID();
    mark = marker;
    return mark + text;
  };
  const json: string | undefined = withPrintedNumbers(print, () => JSON.stringify(value, null, indent));
  if (json === undefined) return 'null';
  return mark === undefined ? json : json.replaceAll(new RegExp(`"${mark}([^"]*)"`, 'g'), '$1');
}
