import { deepestJson, isDeeperThan, parseAsWritten, printJson } from '../../../text/exact-json.js';
import { ExactNumber } from '../../../text/exact-number.js';
import { readBytes, toBytes } from '../mistake.js';

interface JsonSpellings {
  /** With the whitespace sent, but with strings escaped as other languages do. */
  readonly escaped: readonly string[];
  readonly compact: readonly string[];
  readonly pretty: readonly string[];
  readonly reordered: readonly string[];
}

const knownSpellings = new WeakMap<object, Map<string, JsonSpellings>>();

/** Spells JSON as `JSON.stringify` and Python's `json.dumps` do. @param request remembers them during a search */
export function jsonSpellings(body: string, request: object): JsonSpellings {
  const known = knownSpellings.get(request) ?? new Map<string, JsonSpellings>();
  knownSpellings.set(request, known);
  const spellings = known.get(body) ?? listSpellings(body);
  known.set(body, spellings);
  return spellings;
}

function listSpellings(body: string): JsonSpellings {
  const original = readBytes(body) ?? '';
  const values = readValues(original);
  const trimmed = original.trimEnd();
  const end = original.slice(trimmed.length);
  const written = (texts: readonly string[]) =>
    [...texts, ...texts.map((text) => escapeUnits(text, nonAscii))]
      .filter((text) => text !== trimmed)
      .flatMap((text) => [text, `${text}${end}`])
      .map(toBytes);
  return {
    escaped: values.length === 0 ? [] : listEscapes(original).map(toBytes),
    compact: written(values.map((value) => printJson(value))),
    pretty: written(values.flatMap(prettySpellings)),
    reordered: written(
      values.map(sortKeys).flatMap((sorted) => [printJson(sorted), ...prettySpellings(sorted)]),
    ),
  };
}

/** The value with its numbers as sent, and as JavaScript reads them. */
function readValues(text: string): unknown[] {
  // Larger bodies would block a server for too long.
  if (text.length > 65_536) return [];
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

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return value;
  const members = Object.entries(value).map(([key, member]) => [key, sortKeys(member)] as const);
  return Object.fromEntries(members.sort(([one], [other]) => (one < other ? -1 : 1)));
}

const nonAscii = /[\x7f-\uffff]/g;

/** Writes these UTF-16 units as `\u` and four digits. */
function escapeUnits(json: string, units: RegExp): string {
  return json.replace(units, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** PHP escapes slashes and non-ASCII characters, Python only the latter, Go `<`, `>` and `&`, .NET more. */
function listEscapes(json: string): string[] {
  const slashes = (text: string) => text.replace(/(?<!\\)\//g, '\\/');
  const rewritten = json.replace(/"(?:[^"\\]|\\.)*"/g, (string) => JSON.stringify(JSON.parse(string)));
  const inAscii = escapeUnits(rewritten, nonAscii);
  const others = [
    ...[rewritten, slashes(rewritten), inAscii, slashes(inAscii)],
    escapeUnits(json, /[<>&\u2028\u2029]/g),
    escapeUnits(json, /[<>&+'\x7f-\uffff]/g).replaceAll('\\"', '\\u0022'),
  ];
  const inUpperCase = (text: string) => text.replace(/(?<=\\u)[0-9a-f]{4}/g, (code) => code.toUpperCase());
  return others.flatMap((other) => [other, inUpperCase(other)]);
}
