import { isDeeperThan, printJson } from '../../text/exact-json.js';
import { maxBodyBytes } from './body-reading.js';

/** Limits of free-form JSON: of every body, and of a connection's settings however they came about [ours]. */
export const jsonLimits = {
  bytes: maxBodyBytes,
  /** Levels of objects and lists: far more than a resource needs, far less than would exhaust the stack. */
  depth: 64,
  /** Fields of objects and items of lists, on all levels together. */
  members: 1000,
  /** Characters of a number. */
  numberLength: 1000,
} as const;

const tooDeep = `is nested deeper than ${jsonLimits.depth} levels`;
const tooMany = `has more than ${jsonLimits.members} fields and list items`;
const tooLong = `has a number of more than ${jsonLimits.numberLength} characters`;
const tooLarge = `has more than ${jsonLimits.bytes} bytes of JSON`;

const quote = 0x22;
const backslash = 0x5c;

/** What a byte outside of strings is; 0 for all else. */
const byteKind = { whiteSpace: 1, opening: 2, closing: 3, comma: 4, ofNumber: 5 } as const;

// A table, since a million bytes are looked up: sets would take ten times as long.
const kinds = new Uint8Array(256);
note(' \t\r\n', byteKind.whiteSpace);
note('{[', byteKind.opening);
note('}]', byteKind.closing);
note(',', byteKind.comma);
note('0123456789+-.eE', byteKind.ofNumber);

function note(characters: string, kind: number): void {
  for (const character of characters) kinds[character.charCodeAt(0)] = kind;
}

/**
 * Which limit JSON text exceeds, as the end of a sentence; `undefined` for none. It looks at the bytes, before the text is
 * parsed: a value of a million parts takes a hundred times as long to make and to go through. What is no JSON is
 * not noticed here.
 */
export function exceededLimit(json: Uint8Array): string | undefined {
  const counter = new Counter();
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    const exceeded = counter.take(byte);
    if (exceeded !== undefined) return exceeded;
    if (byte === quote) at = endOfString(json, at + 1);
  }
  return undefined;
}

/** The same of a value, which may also be larger than a body can be: it can be made of several. */
export function exceededLimitOf(value: unknown): string | undefined {
  if (isDeeperThan(jsonLimits.depth, value)) return tooDeep;
  const json = Buffer.from(printJson(value));
  return json.byteLength > jsonLimits.bytes ? tooLarge : exceededLimit(json);
}

/** Where a string ends: at its closing quotation mark. */
function endOfString(json: Uint8Array, start: number): number {
  let at = start;
  while (at < json.length && json[at] !== quote) at += json[at] === backslash ? 2 : 1;
  return at;
}

/** Counts what JSON has outside of strings. */
class Counter {
  #depth = 0;
  #members = 0;
  #numberLength = 0;
  /** Whether an object or list was opened and nothing of it has come yet. */
  #isOpened = false;

  take(byte: number): string | undefined {
    const kind = kinds[byte];
    if (kind === byteKind.whiteSpace) {
      this.#numberLength = 0;
      return undefined;
    }
    this.#numberLength = kind === byteKind.ofNumber ? this.#numberLength + 1 : 0;
    if (this.#numberLength > jsonLimits.numberLength) return tooLong;
    const isFirst = this.#isOpened && kind !== byteKind.closing;
    this.#isOpened = kind === byteKind.opening;
    if (isFirst && this.#depth > jsonLimits.depth) return tooDeep;
    if (isFirst || kind === byteKind.comma) this.#members += 1;
    if (kind === byteKind.opening) this.#depth += 1;
    else if (kind === byteKind.closing) this.#depth -= 1;
    return this.#members > jsonLimits.members ? tooMany : undefined;
  }
}
