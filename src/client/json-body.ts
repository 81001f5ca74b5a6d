import { isUtf8 } from 'node:buffer';
import { getHeapStatistics } from 'node:v8';
import { isDeeperThan, tryParseJson } from '../contract/exact-json.js';

/** The deepest nesting that is read. Printers and filters recurse; a hostile answer must not exhaust their stack. */
const deepest = 128;

/** A body read as JSON: its value, or why it has none. */
export type JsonBody =
  | { readonly value: unknown }
  | { readonly fault: string; readonly isBeyondMemory?: boolean };

/** Reads a body as JSON in UTF-8; a byte order mark is ignored, as RFC 8259, section 8.1 allows. */
export function readJson(body: Buffer): JsonBody {
  if (body.length === 0) return { fault: 'empty' };
  if (!hasMemoryFor(body)) return { fault: 'larger than this process has memory for', isBeyondMemory: true };
  if (!isUtf8(body)) return { fault: 'not JSON' };
  const value = tryParseJson(new TextDecoder().decode(body));
  // Not JSON is an answer like any other here: callers decide what it means and quote its first line.
  if (value === undefined) return { fault: 'not JSON' };
  return isDeeperThan(deepest, value) ? { fault: `nested deeper than ${deepest} levels` } : { value };
}

/** The value that a body holds as JSON; `undefined` when it holds none that can be read. */
export function jsonValueOf(body: Buffer): unknown {
  const json = readJson(body);
  return 'value' in json ? json.value : undefined;
}

/** The first line of a body that was not understood, short enough for an error message. */
export function firstLine(body: Buffer): string {
  const line = body.subarray(0, 1024).toString('utf8').trim().split(/\r?\n/, 1)[0] ?? '';
  return shortened(line, 120);
}

/** A text of at most so many characters; what is missing shows as an ellipsis. */
export function shortened(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Heap that a byte can take in the parser at most, and then in a filter and a printer. */
const mostBytesPerByte = 80;

/** Heap that a JSON text needs, in bytes for each of these characters: objects, lists, members and fields. */
const costs: readonly (readonly [character: string, bytes: number])[] = [
  ['{', 64],
  ['[', 48],
  [',', 32],
  [':', 64],
];

/**
 * Whether V8's heap has room for what a body holds as JSON, twice over: the value and what is made of it. V8 ends the
 * process where it runs out, and nothing can catch that. Estimated by what the body is made of, and only for bodies of
 * which the worst would not fit.
 */
function hasMemoryFor(body: Buffer): boolean {
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  const room = limit - used;
  return body.length * mostBytesPerByte <= room || 2 * needOf(body) <= room;
}

function needOf(body: Buffer): number {
  const cost = new Uint8Array(256);
  for (const [character, bytes] of costs) cost[character.charCodeAt(0)] = bytes;
  let need = 0;
  let seen = 0;
  for (const byte of body) {
    need += cost[byte] ?? 0;
    seen |= byte;
  }
  // The text and the strings in it; other text than ASCII takes two bytes a character.
  return need + body.length * (seen < 0x80 ? 2 : 4);
}
