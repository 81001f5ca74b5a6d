/** Different spellings of one JSON value; a body that is signed in one and sent in another does not verify. */
export interface JsonSpellings {
  readonly compact: readonly Buffer[];
  /** With spaces, or indented. */
  readonly pretty: readonly Buffer[];
  /** With its keys in another order, in any of these spellings. */
  readonly reordered: readonly Buffer[];
}

/** Larger bodies are not rewritten: that would block a server for longer than the explanation is worth. */
const maxBytes = 65_536;

/** The keys of longer bodies are only sorted by name, the commonest order. */
const fewCharacters = 4096;

const none: JsonSpellings = { compact: [], pretty: [], reordered: [] };

/** Several mistakes use the spellings of the same body. */
const known = new WeakMap<Buffer, JsonSpellings>();

/**
 * Other spellings of a JSON body, as written by JavaScript's `JSON.stringify` and Python's `json.dumps`, each also with
 * the body's own trailing line ends. None when it is not JSON, or over 64 KiB.
 */
export function jsonSpellings(body: Buffer): JsonSpellings {
  const before = known.get(body);
  if (before !== undefined) return before;
  const spellings = body.byteLength > maxBytes ? none : spellingsOf(body);
  known.set(body, spellings);
  return spellings;
}

function spellingsOf(body: Buffer): JsonSpellings {
  const original = body.toString('utf8');
  const value = parseJson(original);
  if (value === undefined) return none;
  const trimmed = original.trimEnd();
  const end = original.slice(trimmed.length);
  const seen = new Set([original, trimmed]);
  // What fits two mistakes counts for the first.
  const unseen = (spellings: readonly string[]) => {
    const all = [...spellings, ...spellings.map(escapeNonAscii)].flatMap((one) => [one, `${one}${end}`]);
    return [...new Set(all)].filter((one) => !seen.has(one) && seen.add(one)).map((one) => Buffer.from(one));
  };
  return {
    compact: unseen([JSON.stringify(value)]),
    pretty: unseen([spaced(value), ...indented(value)]),
    reordered: unseen(reordered(value, original.length > fewCharacters)),
  };
}

function indented(value: unknown): string[] {
  return [2, 4, '\t'].map((indent) => JSON.stringify(value, null, indent));
}

/** `{"a": [1, 2]}`: strings in JSON hold no raw line feeds, so each one is an indent. */
function spaced(value: unknown): string {
  return JSON.stringify(value, null, 1).replace(/,\n */g, ', ').replace(/\n */g, '');
}

function escapeNonAscii(json: string): string {
  return json.replace(/[\x7f-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The order in which the reference lists a connection's fields. */
const referenceOrder = ['name', 'type', 'config', 'host', 'port', 'database', 'user', 'password', 'ssl'];

/** Spellings with sorted keys; for small objects also in the reference's order and in every other order. */
function reordered(value: unknown, sortedAlone: boolean): string[] {
  const sorted = inOrder(value, (keys) => keys.sort());
  const all = [JSON.stringify(sorted), spaced(sorted), ...indented(sorted)];
  if (sortedAlone || !isObject(value)) return all;
  const asReference = inOrder(value, (keys) => keys.sort((one, other) => rank(one) - rank(other)));
  const keys = Object.keys(value);
  const everyOrder = keys.length > 3 ? [] : permutations(keys).map((order) => withKeys(value, order));
  return [...all, ...[asReference, ...everyOrder].flatMap((one) => [JSON.stringify(one), spaced(one)])];
}

function rank(key: string): number {
  const at = referenceOrder.indexOf(key);
  return at === -1 ? referenceOrder.length : at;
}

/** The value with the keys of every object in it in another order. */
function inOrder(value: unknown, order: (keys: string[]) => string[]): unknown {
  const text = JSON.stringify(value, (_key, member: unknown) =>
    isObject(member) ? withKeys(member, order(Object.keys(member))) : member,
  );
  return JSON.parse(text);
}

function withKeys(object: object, keys: readonly string[]): object {
  const members = new Map(Object.entries(object));
  return Object.fromEntries(keys.map((key) => [key, members.get(key)]));
}

function permutations(keys: readonly string[]): string[][] {
  if (keys.length < 2) return [[...keys]];
  return keys.flatMap((key) =>
    permutations(keys.filter((other) => other !== key)).map((rest) => [key, ...rest]),
  );
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The parsed value; `undefined` when it is not JSON and so has no other spellings. */
function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    // What can be parsed may be nested too deeply to be written, even more so in another order.
    inOrder(value, (keys) => keys);
    return value;
  } catch {
    return undefined;
  }
}
