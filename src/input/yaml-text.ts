import {
  type Document,
  isCollection,
  isMap,
  isNode,
  isScalar,
  isSeq,
  LineCounter,
  parseAllDocuments,
  type Scalar,
  visit,
} from 'yaml';
import { UsageError } from '../errors/errors.js';
import { deepestJson, isDeeperThan } from '../text/exact-json.js';
import { parseNumber } from '../text/exact-number.js';
import { duplicateKey, MalformedText, type TextDocument, tooDeep } from './json-text.js';

/** Limits the time of parsing. */
const maxCharacters = 2 * 1024 * 1024;
/** How often one anchor may be used, counting the uses within other anchors. */
const maxAliases = 10_000;

type Refuse = (what: string, node: unknown) => MalformedText;

/** YAML 1.2 with merge keys (`<<`) and exact numbers. Drops `x-…` fields, which are for anchors. @throws MalformedText */
export function parseYaml(text: string, name: string): readonly TextDocument[] {
  if (text.length > maxCharacters)
    throw new UsageError(`${name}: more than 2 MB of YAML; use JSON, which has no such limit`);
  const lineCounter = new LineCounter();
  const documents = parseAllDocuments(text, {
    ...{ lineCounter, prettyErrors: false, merge: true, resolveKnownTags: false },
    // The library would compare each key with all previous ones.
    uniqueKeys: false,
  });
  const placeAt = (offset: number) => {
    const { line, col: column } = lineCounter.linePos(offset);
    return { line, column };
  };
  for (const { errors, warnings } of 'empty' in documents ? [documents] : documents) {
    // Warnings count, too: an unknown tag is usually a password that begins with an exclamation mark.
    const problem = errors[0] ?? warnings[0];
    if (problem === undefined) continue;
    const isDeep = problem.code === 'RESOURCE_EXHAUSTION';
    const what = isDeep ? tooDeep : `neither JSON nor YAML: ${withoutText(problem.message)}`;
    throw new MalformedText(what, name, placeAt(problem.pos[0]));
  }
  const refuse: Refuse = (what, node) => new MalformedText(what, name, placeAt(findStart(node)));
  return documents.map((document) => ({
    value: toValue(document, refuse),
    placeAt: (path) => placeAt(findOffset(document.contents, path)),
  }));
}

function withoutText(message: string): string {
  return message.replace(/((?<=\w): | \\|(?<=directive|version) ).*$/s, '').replace(/!\S+/, '!…');
}

function toValue(document: Document.Parsed, refuse: Refuse): unknown {
  const anchors = new Set<string | undefined>();
  visit(document, {
    Value: (_key, { anchor }) => void anchors.add(anchor),
    Alias: (_key, alias) => {
      // The library's message would quote the text, which may be a password.
      if (!anchors.has(alias.source))
        throw refuse('an alias without its anchor; quote text that begins with *', alias);
    },
  });
  visit(document, {
    Map: (_key, { items }) => checkKeys(items, refuse),
    Scalar: (key, scalar) => keepExact(key, scalar, refuse),
  });
  try {
    const value: unknown = document.toJS({ maxAliasCount: maxAliases });
    if (isDeeperThan(deepestJson, value)) throw new RangeError();
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([name]) => !name.startsWith('x-')));
  } catch (error) {
    if (error instanceof RangeError) throw refuse(tooDeep, document.contents);
    const isMany = error instanceof ReferenceError;
    const what = isMany ? 'too many aliases' : 'a merge key (<<) needs a map or a list of maps';
    throw refuse(what, document.contents);
  }
}

function checkKeys(items: readonly { readonly key: unknown }[], refuse: Refuse): void {
  const names = new Set<string>();
  for (const { key } of items) {
    if (isCollection(key)) throw refuse('a list or a map cannot be a key', key);
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
  const isJson = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source);
  if (!isJson && (!Number.isFinite(value) || (Number.isInteger(value) && !Number.isSafeInteger(value))))
    throw refuse('a number that JSON cannot express; quote it if it is text', scalar);
  const number = isJson ? parseNumber(source) : value;
  scalar.value = key === 'key' ? String(number) : number;
}

function findOffset(node: unknown, [step, ...rest]: readonly PropertyKey[]): number {
  if (isMap(node)) {
    const pair = node.items.find(({ key }) => step !== undefined && isScalar(key) && key.value === step);
    if (pair !== undefined)
      return rest.length > 0 && isCollection(pair.value) ? findOffset(pair.value, rest) : findStart(pair.key);
  }
  const item: unknown = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? findStart(node) : findOffset(item, rest);
}

function findStart(node: unknown): number {
  return (isNode(node) ? node.range?.[0] : undefined) ?? 0;
}
