import { parseJson as parseJsonText } from '../contract/exact-json.js';
import { hasMemoryFor } from './memory-for-json.js';

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
  try {
    const value = parseJsonText(new TextDecoder('utf-8', { fatal: true }).decode(body));
    return isDeeperThan(deepest, value) ? { fault: `nested deeper than ${deepest} levels` } : { value };
  } catch {
    // Not JSON is an answer like any other here: callers decide what it means and quote its first line.
    return { fault: 'not JSON' };
  }
}

/** The value that a body holds as JSON; `undefined` when it holds none that can be read. */
export function parseJson(body: Buffer): unknown {
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

// Every answer is walked through. This form takes a fifth of the time that one with Object.values takes.
function isDeeperThan(limit: number, value: unknown): boolean {
  if (!isObject(value)) return false;
  if (limit === 0) return true;
  if (Array.isArray(value)) return value.some((member) => isDeeperThan(limit - 1, member));
  for (const name in value) if (isDeeperThan(limit - 1, value[name])) return true;
  return false;
}

function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null;
}
