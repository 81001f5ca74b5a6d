import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Scalar,
  visit,
  type YAMLMap,
} from 'yaml';
import { deepestJson, isDeeperThan } from '../text/exact-json.js';
import { type ExactNumber, parseNumber } from '../text/exact-number.js';
import { duplicateKey, MalformedText, type TextDocument, type TextPlace, tooDeep } from './json-text.js';

/** Limits the time: the library needs up to two seconds for hostile text of this size. */
const maxCharacters = 512 * 1024;
/** The library looks through all anchors for each alias. */
const maxAliases = 5000;
const maxAdded = 4 * 1024 * 1024;

type Place = (offset: number) => TextPlace;

/**
 * Parses documents of YAML 1.2 with merge keys (`<<`), keeping numbers exact. Drops `x-…` fields of the outermost map,
 * which are for anchors.
 * @throws MalformedText for the first problem
 */
export function parseYaml(text: string): readonly TextDocument[] {
  if (text.length > maxCharacters) {
    const what = `more than ${maxCharacters / 1024} KiB of YAML; use JSON, which has no such limit`;
    throw new MalformedText(what, { line: 1, column: 1 });
  }
  const lineCounter = new LineCounter();
  const documents = withoutStacks(() =>
    parseAllDocuments(text, {
      ...{ lineCounter, prettyErrors: false, merge: true, resolveKnownTags: false },
      // The library would compare each key with all previous ones.
      uniqueKeys: false,
    }),
  );
  const placeAt: Place = (offset) => {
    const { line, col: column } = lineCounter.linePos(offset);
    return { line, column };
  };
  for (const { errors, warnings } of 'empty' in documents ? [documents] : documents) {
    // Warnings count, too: an unknown tag is usually a password that begins with an exclamation mark.
    const [problem] = [errors[0], warnings[0]].filter((one) => one !== undefined);
    if (problem === undefined) continue;
    const at = placeAt(problem.pos[0]);
    if (problem.code === 'RESOURCE_EXHAUSTION') throw new MalformedText(tooDeep, at);
    throw new MalformedText(`not YAML: ${withoutText(problem.message)}`, at, true);
  }
  return documents.map((document) => ({
    value: toValue(document, placeAt),
    placeAt: (path) => placeAt(findOffset(document.contents, path)),
  }));
}

/** The library makes an Error for each problem of a text, and most of its time goes into their stacks. */
function withoutStacks<Result>(parse: () => Result): Result {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = 0;
  try {
    return parse();
  } finally {
    Error.stackTraceLimit = stackTraceLimit;
  }
}

function withoutText(message: string): string {
  return message.replace(/((?<=\w): | \\|(?<=directive|version) ).*$/s, '').replace(/!\S+/, '!…');
}

function toValue(document: Document.Parsed, placeAt: Place): unknown {
  const refuse = (what: string, node: unknown) => new MalformedText(what, placeAt(findStart(node)));
  checkAliases(document, refuse);
  visit(document, {
    Map: (_key, map) => checkKeys(map, refuse),
    Scalar: (key, scalar) => keepExact(key, scalar, refuse),
  });
  const value = readValue(document, refuse);
  if (isDeeperThan(deepestJson, value)) throw refuse(tooDeep, document.contents);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('x-')));
}

type Refuse = (what: string, node: unknown) => MalformedText;

function readValue(document: Document.Parsed, refuse: Refuse): unknown {
  try {
    return document.toJS({ maxAliasCount: -1 });
  } catch (error) {
    if (error instanceof RangeError) throw refuse(tooDeep, document.contents);
    throw refuse('a merge key (<<) needs a map or a list of maps', document.contents);
  }
}

/** A small text can expand to a huge one: measures what aliases would add before any is resolved. */
function checkAliases(document: Document.Parsed, refuse: Refuse): void {
  const lengths = new Map<string, number>();
  let [count, added] = [0, 0];
  const check = (alias: Alias, above: readonly unknown[]) => {
    const length = lengths.get(alias.source);
    if (length === undefined) {
      throw refuse('an alias without its anchor; quote text that begins with *', alias);
    }
    const anchors = above.flatMap((node) => readAnchor(node) ?? []);
    if (anchors.includes(alias.source)) throw refuse('an alias that contains itself', alias);
    for (const name of anchors) lengths.set(name, (lengths.get(name) ?? 0) + length);
    count += 1;
    added += length;
    if (count > maxAliases || added > maxAdded) throw refuse('too many aliases', alias);
  };
  visit(document, (_key, node, above) => {
    if (isAlias(node)) return check(node, above);
    const name = readAnchor(node);
    if (name !== undefined && isNode(node) && node.range) lengths.set(name, node.range[1] - node.range[0]);
    return undefined;
  });
}

function readAnchor(node: unknown): string | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
}

function checkKeys({ items }: YAMLMap, refuse: Refuse): void {
  const names = new Set<string>();
  for (const { key } of items) {
    if (isMap(key) || isSeq(key)) throw refuse('a list or a map cannot be a key', key);
    // The library replaces a plain `<<` with a symbol; an alias may repeat a name, and the last one counts.
    if (!isScalar(key) || typeof key.value === 'symbol') continue;
    const name = String(key.value ?? '');
    if (names.has(name)) throw refuse(duplicateKey, key);
    names.add(name);
  }
}

function keepExact(key: unknown, scalar: Scalar, refuse: Refuse): void {
  const { value, source = '' } = scalar;
  if (typeof value !== 'number') return;
  const number = readExact(value, source);
  if (number === undefined) throw refuse('a number that JSON cannot express; quote it if it is text', scalar);
  scalar.value = key === 'key' ? String(number) : number;
}

function readExact(value: number, source: string): number | ExactNumber | undefined {
  if (/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source)) return parseNumber(source);
  return Number.isInteger(value) ? safeInteger(value) : Number.isFinite(value) ? value : undefined;
}

function safeInteger(value: number): number | undefined {
  return Number.isSafeInteger(value) ? value : undefined;
}

function findOffset(node: unknown, [step, ...rest]: readonly PropertyKey[]): number {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => step !== undefined && isScalar(key) && key.value === step);
    const isInside = rest.length > 0 && (isMap(pair?.value) || isSeq(pair?.value));
    if (pair !== undefined) return isInside ? findOffset(pair.value, rest) : findStart(pair.key);
  }
  const item: unknown = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? findStart(node) : findOffset(item, rest);
}

function findStart(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}
