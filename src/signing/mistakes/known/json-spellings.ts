import { deepestJson, isDeeperThan, parseAsWritten, printJson } from '../../../text/exact-json.js';
import { ExactNumber } from '../../../text/exact-number.js';
import { readBytes, toBytes } from '../signed.js';
import { permutations } from './permutations.js';

/** Other spellings of one JSON value, as bytes; their signatures differ. */
interface JsonSpellings {
  /** With the whitespace sent, but as these serializers escape strings. */
  readonly escaped: readonly string[];
  readonly compact: readonly string[];
  readonly pretty: readonly string[];
  readonly reordered: readonly string[];
}

/** In bytes; larger bodies would block a server for too long. */
const maxBytes = 65_536;

/** In characters; in longer JSON, keys are only sorted by name. */
const fewCharacters = 4096;

const none: JsonSpellings = { escaped: [], compact: [], pretty: [], reordered: [] };

const knownSpellings = new WeakMap<object, Map<string, JsonSpellings>>();

/**
 * Spellings of `JSON.stringify` and Python's `json.dumps`, with and without the body's final whitespace. Numbers are as
 * sent, and as JavaScript writes them. @param request remembers the spellings for the length of a search
 */
export function jsonSpellings(body: string, request: object): JsonSpellings {
  const known = knownSpellings.get(request) ?? new Map<string, JsonSpellings>();
  knownSpellings.set(request, known);
  const spellings = known.get(body) ?? (body.length > maxBytes ? none : listSpellings(body));
  known.set(body, spellings);
  return spellings;
}

function listSpellings(body: string): JsonSpellings {
  const original = readBytes(body) ?? '';
  const values = readValues(original);
  const trimmed = original.trimEnd();
  const end = original.slice(trimmed.length);
  const seen = new Set([original, trimmed]);
  // Lists a spelling only for the first mistake that has it.
  const unseen = (spellings: readonly string[]) => {
    const both = [...spellings, ...spellings.map((one) => escapeUnits(one, nonAscii))];
    const all = both.flatMap((one) => [one, `${one}${end}`]);
    return all.filter((one) => !seen.has(one) && seen.add(one)).map(toBytes);
  };
  if (values.length === 0) return none;
  return {
    escaped: unseen([rewriteStrings(trimmed)]),
    compact: unseen(values.map((value) => printJson(value))),
    pretty: unseen(values.flatMap(prettySpellings)),
    reordered: unseen(values.flatMap((value) => reorderings(value, original.length > fewCharacters))),
  };
}

/** The value with its numbers as sent, and as JavaScript reads them; none of what is no JSON. */
function readValues(text: string): unknown[] {
  try {
    const exact = parseAsWritten(text);
    return isDeeperThan(deepestJson, exact) ? [] : [exact, JSON.parse(text)];
  } catch {
    return [];
  }
}

/** As `{"a": [1, 2]}`, and indented. Strings in JSON contain no raw line feeds, so each line feed begins an indent. */
function prettySpellings(value: unknown): string[] {
  const spaced = printJson(value, 1).replace(/,\n */g, ', ').replace(/\n */g, '');
  return [spaced, ...[2, 4, '\t'].map((indent) => printJson(value, indent))];
}

/** Valid JSON with its strings as `JSON.stringify` writes them. */
function rewriteStrings(json: string): string {
  return json.replace(/"(?:[^"\\]|\\.)*"/g, (string) => JSON.stringify(JSON.parse(string)));
}

export const nonAscii = /[\x7f-\uffff]/g;

/** Writes these UTF-16 units as `\u` and four digits. */
export function escapeUnits(json: string, units: RegExp): string {
  return json.replace(units, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** With sorted keys; also every order of two or three keys in short JSON. */
function reorderings(value: unknown, isLong: boolean): string[] {
  const members = isLong || !isObjectValue(value) ? [] : Object.entries(value);
  const isFew = members.length === 2 || members.length === 3;
  const orders = isFew ? permutations(members).map((order) => Object.fromEntries(order)) : [];
  return [sortKeys(value), ...orders].flatMap((one) => [printJson(one), ...prettySpellings(one)]);
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (!isObjectValue(value)) return value;
  const members = Object.entries(value).map(([key, member]) => [key, sortKeys(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

function isObjectValue(value: unknown): value is object {
  return (
    typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof ExactNumber)
  );
}
