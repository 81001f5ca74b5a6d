import { permutations } from './permutations.js';

/** Other spellings of one JSON value; their signatures differ. */
export interface JsonSpellings {
  readonly compact: readonly Buffer[];
  readonly pretty: readonly Buffer[];
  readonly reordered: readonly Buffer[];
}

/** In bytes; larger bodies would block a server for too long. */
const maxBytes = 65_536;

/** In characters; in longer JSON, keys are only sorted by name. */
const fewCharacters = 4096;

const none: JsonSpellings = { compact: [], pretty: [], reordered: [] };

const knownSpellings = new WeakMap<Buffer, JsonSpellings>();

/** Spellings of `JSON.stringify` and Python's `json.dumps`, with and without the body's final whitespace. */
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
  return {
    compact: unseen([JSON.stringify(value)]),
    pretty: unseen([addSpaces(value), ...indentations(value)]),
    reordered: unseen(reorderings(value, original.length > fewCharacters)),
  };
}

function indentations(value: unknown): string[] {
  return [2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent));
}

/** As `{"a": [1, 2]}`. Strings in JSON contain no raw line feeds, so each line feed begins an indent. */
function addSpaces(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '');
}

function escapeNonAscii(json: string): string {
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

const referenceOrder = ['name', 'type', 'config', 'host', 'port', 'database', 'user', 'password', 'ssl'];

/** Sorts keys. In short JSON, also uses the API reference's order and, for at most three keys, every order. */
function reorderings(value: unknown, sortedAlone: boolean): string[] {
  const sorted = orderKeys(value, (keys) => keys.sort());
  const all = [JSON.stringify(sorted), addSpaces(sorted), ...indentations(sorted)];
  if (sortedAlone || !isObjectValue(value)) return all;
  const asReference = orderKeys(value, (keys) => keys.sort((one, other) => rank(one) - rank(other)));
  const keys = Object.keys(value);
  const everyOrder = keys.length > 3 ? [] : permutations(keys).map((order) => withKeys(value, order));
  return [...all, ...[asReference, ...everyOrder].flatMap((one) => [JSON.stringify(one), addSpaces(one)])];
}

function rank(key: string): number {
  const at = referenceOrder.indexOf(key);
  return at === -1 ? referenceOrder.length : at;
}

function orderKeys(value: unknown, order: (keys: string[]) => string[]): unknown {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    isObjectValue(member) ? withKeys(member, order(Object.keys(member))) : member,
  );
  return JSON.parse(text);
}

function withKeys(object: object, keys: readonly string[]): object {
  const members = new Map(Object.entries(object));
  return Object.fromEntries(keys.map((key) => [key, members.get(key)]));
}

function isObjectValue(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function parseOrNothing(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // Parsable values may be nested too deeply to print.
    orderKeys(value, (keys) => keys);
    return value;
  } catch {
    return undefined;
  }
}
