import { deepestJson, isDeeperThan, parseAsWritten, printJson } from '../../../text/exact-json.js';
import { ExactNumber } from '../../../text/exact-number.js';
import { permutations } from './permutations.js';

/** Other spellings of one JSON value; their signatures differ. */
export interface JsonSpellings {
  /** With the whitespace sent, but as these serializers escape strings. */
  readonly escaped: readonly Buffer[];
  readonly compact: readonly Buffer[];
  readonly pretty: readonly Buffer[];
  readonly reordered: readonly Buffer[];
  /** In the order sent, with the numbers as JavaScript writes them. */
  readonly renumbered: readonly Buffer[];
}

/** In bytes; larger bodies would block a server for too long. */
const maxBytes = 65_536;

/** In characters; in longer JSON, keys are only sorted by name. */
const fewCharacters = 4096;

const none: JsonSpellings = { escaped: [], compact: [], pretty: [], reordered: [], renumbered: [] };

const knownSpellings = new WeakMap<Buffer, JsonSpellings>();

/**
 * Spellings of `JSON.stringify` and Python's `json.dumps`, with and without the body's final whitespace. Numbers are as
 * sent, unless stated otherwise.
 */
export function jsonSpellings(body: Buffer): JsonSpellings {
  const before = knownSpellings.get(body);
  if (before !== undefined) return before;
  const spellings = body.byteLength > maxBytes ? none : listSpellings(body);
  knownSpellings.set(body, spellings);
  return spellings;
}

function listSpellings(body: Buffer): JsonSpellings {
  const original = body.toString('utf8');
  const value = parseOrNothing(original);
  if (value === undefined) return none;
  const trimmed = original.trimEnd();
  const end = original.slice(trimmed.length);
  const seen = new Set([original, trimmed]);
  // Lists a spelling only for the first mistake that has it.
  const unseen = (spellings: readonly string[]) => {
    const all = [...spellings, ...spellings.map(escapeNonAscii)].flatMap((one) => [one, `${one}${end}`]);
    return [...new Set(all)].filter((one) => !seen.has(one) && seen.add(one)).map((one) => Buffer.from(one));
  };
  const isLong = original.length > fewCharacters;
  const escaped = unseen([rewriteStrings(trimmed)]);
  const compact = unseen([printJson(value)]);
  const pretty = unseen(prettySpellings(value));
  const reordered = unseen(reorderings(value, isLong));
  const doubles: unknown = JSON.parse(original);
  if (JSON.stringify(doubles) === printJson(value))
    return { escaped, compact, pretty, reordered, renumbered: [] };
  const renumbered = unseen([JSON.stringify(doubles), ...prettySpellings(doubles)]);
  const both = unseen(reorderings(doubles, isLong));
  return { escaped, compact, pretty, renumbered, reordered: [...reordered, ...both] };
}

function prettySpellings(value: unknown): string[] {
  return [addSpaces(value), ...indentations(value)];
}

function indentations(value: unknown): string[] {
  return [2, 4, '\t'].map((indent) => printJson(value, indent));
}

/** As `{"a": [1, 2]}`. Strings in JSON contain no raw line feeds, so each line feed begins an indent. */
function addSpaces(value: unknown): string {
  return printJson(value, 1).replace(/,\n */g, ', ').replace(/\n */g, '');
}

/** Valid JSON with its strings as `JSON.stringify` writes them. */
function rewriteStrings(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (string) => JSON.stringify(JSON.parse(string)));
}

function escapeNonAscii(json: string): string {
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const referenceOrder = ['name', 'type', 'config', 'host', 'port', 'database', 'user', 'password', 'ssl'];

/** Sorts keys. In short JSON, also uses the API reference's order and, for at most three keys, every order. */
function reorderings(value: unknown, sortedAlone: boolean): string[] {
  const sorted = orderKeys(value, (keys) => keys.sort());
  const all = [printJson(sorted), ...prettySpellings(sorted)];
  if (sortedAlone || !isObjectValue(value)) return all;
  const asReference = orderKeys(value, (keys) => keys.sort((one, other) => rank(one) - rank(other)));
  const keys = Object.keys(value);
  const everyOrder = keys.length > 3 ? [] : permutations(keys).map((order) => withKeys(value, order));
  return [...all, ...[asReference, ...everyOrder].flatMap((one) => [printJson(one), addSpaces(one)])];
}

function rank(key: string): number {
  const at = referenceOrder.indexOf(key);
  return at === -1 ? referenceOrder.length : at;
}

function orderKeys(value: unknown, order: (keys: string[]) => string[]): unknown {
  if (Array.isArray(value)) return value.map((member: unknown) => orderKeys(member, order));
  if (!isObjectValue(value)) return value;
  const members: [string, unknown][] = Object.entries(value);
  const ordered = members.map(([key, member]): [string, unknown] => [key, orderKeys(member, order)]);
  return withKeys(Object.fromEntries(ordered), order(Object.keys(value)));
}

function withKeys(object: object, keys: readonly string[]): object {
  const members = new Map(Object.entries(object));
  return Object.fromEntries(keys.map((key) => [key, members.get(key)]));
}

function isObjectValue(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false;
  return !Array.isArray(value) && !(value instanceof ExactNumber);
}

function parseOrNothing(text: string): unknown {
  try {
    const value = parseAsWritten(text);
    return isDeeperThan(deepestJson, value) ? undefined : value;
  } catch {
    return undefined;
  }
}
