import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type YAMLMap } from 'yaml';
import { deepestJson } from '../../text/exact-json.js';
import { type ExactNumber, parseNumber } from '../../text/exact-number.js';
import { duplicateKey, tooDeepAt } from './json-text.js';
import { MalformedText } from './malformed-text.js';
import { findStart, type YamlText } from './yaml-text.js';

const maxAddedText = 4 * 1024 * 1024;

/**
 * Resolves aliases and merge keys, and keeps numbers exact. First measures what aliases would add, because a small text
 * can expand to a huge one.
 * @throws MalformedText, for example for duplicate keys or values that JSON cannot express
 */
export function plainValue(document: Document.Parsed, placeAt: YamlText['placeAt']): unknown {
  const aliases = new AliasCount(placeAt);
  aliases.measure(document.contents, 0);
  return new ValueReader(aliases.targets, placeAt).read(document.contents);
}

interface ValueMeasure {
  readonly size: number;
  readonly height: number;
}

interface Anchor {
  readonly node: unknown;
  /** `undefined` while the node is open: an alias in it would contain itself. */
  readonly measure: ValueMeasure | undefined;
}

class AliasCount {
  readonly targets = new Map<Alias, unknown>();
  readonly #placeAt: YamlText['placeAt'];
  readonly #anchors = new Map<string, Anchor>();
  #added = 0;

  constructor(placeAt: YamlText['placeAt']) {
    this.#placeAt = placeAt;
  }

  measure(node: unknown, depth: number): ValueMeasure {
    if (isAlias(node)) return this.#measureAlias(node, depth);
    const name = readAnchor(node);
    if (name !== undefined) this.#anchors.set(name, { node, measure: undefined });
    const measure = this.#measureParts(node, depth);
    if (name !== undefined) this.#anchors.set(name, { node, measure });
    return measure;
  }

  #measureParts(node: unknown, depth: number): ValueMeasure {
    const parts = listParts(node);
    if (parts === undefined) return { size: measureLength(node), height: 0 };
    if (depth === deepestJson) throw this.#refusal(tooDeepAt, node);
    let size = 2;
    let height = 0;
    for (const part of parts) {
      const measure = this.measure(part, depth + 1);
      size += measure.size + 1;
      height = Math.max(height, measure.height);
    }
    return { size, height: height + 1 };
  }

  #measureAlias(alias: Alias, depth: number): ValueMeasure {
    const anchor = this.#anchors.get(alias.source);
    if (anchor === undefined) {
      throw this.#complaint('an alias without its anchor; quote text that begins with *', alias);
    }
    const { node, measure } = anchor;
    if (measure === undefined) throw this.#complaint('an alias that contains itself', alias);
    if (depth + measure.height > deepestJson) throw this.#refusal(tooDeepAt, alias);
    this.#added += measure.size;
    if (this.#added > maxAddedText) {
      const what = `too many aliases: resolved, they would add more than ${maxAddedText} characters`;
      throw this.#complaint(what, alias);
    }
    this.targets.set(alias, node);
    return measure;
  }

  #complaint(what: string, node: unknown): MalformedText {
    return this.#refusal((place) => new MalformedText(what, place), node);
  }

  #refusal(make: typeof tooDeepAt, node: unknown): MalformedText {
    return make(this.#placeAt(findStart(node)));
  }
}

function listParts(node: unknown): readonly unknown[] | undefined {
  if (isMap(node)) return node.items.flatMap(({ key, value }) => [key, value]);
  return isSeq(node) ? node.items : undefined;
}

function readAnchor(node: unknown): string | undefined {
  return isMap(node) || isSeq(node) || isScalar(node) ? node.anchor : undefined;
}

function measureLength(node: unknown): number {
  return isScalar(node) && node.range != null ? node.range[1] - node.range[0] : 0;
}

class ValueReader {
  readonly #targets: ReadonlyMap<Alias, unknown>;
  readonly #placeAt: YamlText['placeAt'];
  /** Maps with an anchor, so that each is read only once, however often it is merged. */
  readonly #known = new Map<YAMLMap, ReadonlyMap<string, unknown>>();

  constructor(targets: ReadonlyMap<Alias, unknown>, placeAt: YamlText['placeAt']) {
    this.#targets = targets;
    this.#placeAt = placeAt;
  }

  read(node: unknown): unknown {
    const target = this.#resolved(node);
    if (isMap(target)) return Object.fromEntries(this.#fields(target));
    if (isSeq(target)) return target.items.map((item) => this.read(item));
    return isScalar(target) ? this.#scalar(target) : null;
  }

  #resolved(node: unknown): unknown {
    return isAlias(node) ? this.#targets.get(node) : node;
  }

  #fields(map: YAMLMap): ReadonlyMap<string, unknown> {
    const known = this.#known.get(map);
    if (known !== undefined) return known;
    const fields = this.#readFields(map);
    if (map.anchor !== undefined) this.#known.set(map, fields);
    return fields;
  }

  /** Own fields override merged ones, and earlier merges override later ones. */
  #readFields(map: YAMLMap): Map<string, unknown> {
    const own = new Set<string>();
    const fields = new Map<string, unknown>();
    for (const { key, value } of map.items) {
      if (isMergeKey(key)) {
        for (const [name, merged] of this.#merged(value)) {
          if (!fields.has(name)) fields.set(name, merged);
        }
        continue;
      }
      const name = this.#name(key);
      if (own.has(name)) throw duplicateKey(this.#placeAt(findStart(key)));
      own.add(name);
      fields.set(name, this.read(value));
    }
    return fields;
  }

  #merged(node: unknown): ReadonlyMap<string, unknown> {
    const source = this.#resolved(node);
    if (isMap(source)) return this.#fields(source);
    const maps = isSeq(source) ? source.items.map((item) => this.#resolved(item)) : [undefined];
    const fields = new Map<string, unknown>();
    for (const map of maps) {
      if (!isMap(map)) throw this.#complaint('a merge key (<<) needs a map or a list of maps', node);
      for (const [name, value] of this.#fields(map)) if (!fields.has(name)) fields.set(name, value);
    }
    return fields;
  }

  #name(key: unknown): string {
    const value = this.read(key);
    if (value === null) return '';
    if (isMap(this.#resolved(key)) || isSeq(this.#resolved(key))) {
      throw this.#complaint('a list or a map cannot be a key', key);
    }
    return String(value);
  }

  #scalar({ value, source, range }: { value: unknown; source?: string; range?: unknown }): unknown {
    if (typeof value === 'symbol') return source;
    if (typeof value !== 'number' || source === undefined) return value;
    const number = readExactNumber(source);
    if (number !== undefined) return number;
    throw this.#complaint('a number that JSON cannot express; quote it if it is text', { range });
  }

  #complaint(what: string, node: unknown): MalformedText {
    return new MalformedText(what, this.#placeAt(findStart(node)));
  }
}

/** The library replaces a plain `<<` with a symbol. */
function isMergeKey(key: unknown): boolean {
  return isScalar(key) && typeof key.value === 'symbol';
}

/** Maximum length of a hexadecimal or octal number: converting a longer one takes too long. */
const maxDigits = 1000;

/** A number of YAML 1.2 (section 10.3.2); `undefined` for `.inf`, `.nan` and overlong hexadecimal and octal numbers. */
function readExactNumber(source: string): number | ExactNumber | undefined {
  if (/^0(x[\da-f]+|o[0-7]+)$/i.test(source)) {
    return source.length > maxDigits ? undefined : parseNumber(BigInt(source).toString());
  }
  const [, sign = '', whole, fraction, exponent = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(source) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  return parseNumber(`${sign === '-' ? '-' : ''}${digits}${fraction ? `.${fraction}` : ''}${exponent}`);
}
