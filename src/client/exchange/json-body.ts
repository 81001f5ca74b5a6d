import { isUtf8 } from 'node:buffer';
import { getHeapStatistics } from 'node:v8';
import { deepestJson, isDeeperThan, tryParseJson } from '../../text/exact-json.js';

type JsonBody = { readonly value: unknown } | { readonly fault: string; readonly isBeyondMemory?: boolean };

/**
 * Reads UTF-8, and ignores a byte order mark, as RFC 8259, section 8.1, allows. Returns a `fault` instead of throwing,
 * because only callers know whether it is an error.
 */
export function readJson(body: Buffer): JsonBody {
  if (body.length === 0) return { fault: 'empty' };
  if (!hasMemoryFor(body)) return { fault: 'larger than this process has memory for', isBeyondMemory: true };
  if (!isUtf8(body)) return { fault: 'not JSON' };
  const value = tryParseJson(new TextDecoder().decode(body));
  if (value === undefined) return { fault: 'not JSON' };
  return isDeeperThan(deepestJson, value) ? { fault: `nested deeper than ${deepestJson} levels` } : { value };
}

export function readJsonValue(body: Buffer): unknown {
  const json = readJson(body);
  return 'value' in json ? json.value : undefined;
}

export function firstLine(body: Buffer): string {
  const line = body
    .subarray(0, 1024)
    .toString('utf8')
    .trim()
    .replace(/\r?\n.*/s, '');
  return shorten(line, 120);
}

export function shorten(text: string, longest: number): string {
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

/** Bytes; a smaller body has memory in any process. */
const smallBody = 256 * 1024;

/** Heap bytes for each object, list, element and field, counted by their characters. */
const bytesPerValue = 48;
const structure: ReadonlySet<number> = new Set(Buffer.from('{[,:'));

/** Whether the heap holds the text and what it says twice, as filtering and printing need; V8 aborts when it is full. */
function hasMemoryFor(body: Buffer): boolean {
  if (body.length <= smallBody) return true;
  const { heap_size_limit: limit, used_heap_size: used } = getHeapStatistics();
  let values = 0;
  for (const byte of body) if (structure.has(byte)) values += 1;
  // V8 may need two bytes for each character.
  return 2 * (values * bytesPerValue + 4 * body.length) <= limit - used;
}
