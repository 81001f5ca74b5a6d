import { isDeeperThan, printJson } from '../../text/exact-json.js';
import { maxBodyBytes } from './body-reading.js';

/** Limits of free-form JSON, in bodies and connection settings. */
export const jsonLimits = {
  bytes: maxBodyBytes,
  depth: 64,
  members: 1000,
  numberLength: 1000,
} as const;

const tooDeepMessage = `is nested deeper than ${jsonLimits.depth} levels`;
const tooManyMessage = `has more than ${jsonLimits.members} fields and list items`;
const tooLong = `has a number of more than ${jsonLimits.numberLength} characters`;
const tooLarge = `has more than ${jsonLimits.bytes} bytes of JSON`;

const quoteByte = 0x22;
const backslash = 0x5c;

const byteKind = { whiteSpace: 1, opening: 2, closing: 3, comma: 4, ofNumber: 5 } as const;

// A table, because sets would be much slower.
const byteKinds = new Uint8Array(256);
note(' \t\r\n', byteKind.whiteSpace);
note('{[', byteKind.opening);
note('}]', byteKind.closing);
note(',', byteKind.comma);
note('0123456789+-.eE', byteKind.ofNumber);

function note(characters: string, kind: number): void {
  for (const character of characters) byteKinds[character.charCodeAt(0)] = kind;
}

/** The exceeded limit, worded as the end of a sentence. Runs before parsing, which takes much longer. */
export function exceededLimit(json: Uint8Array): string | undefined {
  const counter = new Counter();
  for (let at = 0; at < json.length; at += 1) {
    const byte = json[at] ?? 0;
    const exceeded = counter.take(byte);
    if (exceeded !== undefined) return exceeded;
    if (byte === quoteByte) at = skipString(json, at + 1);
  }
  return undefined;
}

/** Like `exceededLimit`, for a parsed value. */
export function findExceededLimit(value: unknown): string | undefined {
  if (isDeeperThan(jsonLimits.depth, value)) return tooDeepMessage;
  const json = Buffer.from(printJson(value));
  return json.byteLength > jsonLimits.bytes ? tooLarge : exceededLimit(json);
}

function skipString(json: Uint8Array, start: number): number {
  let at = start;
  while (at < json.length && json[at] !== quoteByte) at += json[at] === backslash ? 2 : 1;
  return at;
}

class Counter {
  #depth = 0;
  #members = 0;
  #numberLength = 0;
  #isOpened = false;

  take(byte: number): string | undefined {
    const kind = byteKinds[byte];
    if (kind === byteKind.whiteSpace) {
      this.#numberLength = 0;
      return undefined;
    }
    this.#numberLength = kind === byteKind.ofNumber ? this.#numberLength + 1 : 0;
    if (this.#numberLength > jsonLimits.numberLength) return tooLong;
    const isFirst = this.#isOpened && kind !== byteKind.closing;
    this.#isOpened = kind === byteKind.opening;
    if (isFirst && this.#depth > jsonLimits.depth) return tooDeepMessage;
    if (isFirst || kind === byteKind.comma) this.#members += 1;
    if (kind === byteKind.opening) this.#depth += 1;
    else if (kind === byteKind.closing) this.#depth -= 1;
    return this.#members > jsonLimits.members ? tooManyMessage : undefined;
  }
}
