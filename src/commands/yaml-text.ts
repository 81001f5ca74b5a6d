import type { Document, Node, Pair } from 'yaml';
import { Composer, type CST, isMap, isScalar, isSeq, LineCounter, Parser, visit } from 'yaml';
import { parseJson, printJson } from '../contract/exact-json.js';
import { numberOf } from '../contract/exact-number.js';

/** Text that is not YAML, or asks more of a reader than a file may. The message never repeats the text. */
export class MalformedYaml extends Error {
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** Whether the text is malformed; otherwise it is YAML that is refused. */
  readonly isSyntax: boolean;

  constructor(message: string, at: Place, options: ErrorOptions & { readonly isSyntax?: boolean } = {}) {
    super(message, options);
    this.line = at.line;
    this.column = at.column;
    this.isSyntax = options.isSyntax ?? false;
  }
}

/** A place in a text; both from 1. */
export interface Place {
  readonly line: number;
  readonly column: number;
}

/** YAML with its places. Whatever is wrong with a document is said by `plainValue`. */
export interface YamlText {
  readonly documents: readonly Document.Parsed[];
  readonly placeAt: (offset: number) => Place;
}

// Far more than entries or a seed need, with room for documents, lists and keys round them.
const maxDepth = 80;

/**
 * Parses YAML 1.2, which JSON is a part of. Merge keys (`<<`) are read, for they are what a list of similar entries is
 * written with.
 *
 * @throws MalformedYaml for what is nested too deeply
 */
export function parseYaml(text: string): YamlText {
  const counter = new LineCounter();
  const placeAt = (offset: number) => {
    const { line, col: column } = counter.linePos(offset);
    return { line, column };
  };
  const tokens = [...new Parser(counter.addNewLine).parse(text)];
  // The composer calls itself for every level, and a process whose stack is used up cannot always be caught.
  refuseDepth(tokens, placeAt);
  const composer = new Composer({ prettyErrors: false, merge: true, resolveKnownTags: false });
  return { documents: [...composer.compose(tokens)], placeAt };
}

function refuseDepth(tokens: readonly CST.Token[], placeAt: YamlText['placeAt']): void {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > maxDepth && first !== undefined) {
      throw new MalformedYaml(`nested deeper than ${maxDepth} levels`, placeAt(first.offset));
    }
    level = level.flatMap(children);
  }
}

function children(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((child) => child != null));
}

/** The value as JSON would have it: without aliases, its numbers exact. @throws MalformedYaml */
export function plainValue(document: Document.Parsed, placeAt: YamlText['placeAt']): unknown {
  complain(document, placeAt);
  try {
    return parseJson(printJson(document.toJS()));
  } catch (error) {
    const what = 'an alias that contains itself, or too many aliases';
    throw new MalformedYaml(what, placeAt(document.range[0]), { cause: error });
  }
}

// A warning is as bad: a tag that nobody knows is most often a password that begins with an exclamation mark.
function complain(document: Document.Parsed, placeAt: YamlText['placeAt']): void {
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) {
    throw new MalformedYaml(withoutText(problem.message), placeAt(problem.pos[0]), { isSyntax: true });
  }
  const [unsayable] = keepNumbers(document);
  if (unsayable !== undefined) {
    throw new MalformedYaml('a number that JSON cannot express; quote it if it is text', placeAt(unsayable));
  }
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) !== undefined) return;
      throw new MalformedYaml(
        'an alias without its anchor; quote text that begins with *',
        placeAt(alias.range?.[0] ?? 0),
      );
    },
  });
}

/** A message of the parser without the piece of text that it quotes at its end. */
function withoutText(message: string): string {
  return message.replace(/((?<=\w): | \\).*$/s, '');
}

/**
 * Puts back into a parsed document the numbers that YAML's parser has changed by making doubles of them: as exact numbers,
 * and as text where they are keys. Hexadecimal and octal ones become decimal, as JSON knows them alone.
 *
 * @returns where numbers stand that JSON cannot say, `.inf` and `.nan`: offsets into the text
 */
function keepNumbers(document: Document.Parsed): number[] {
  const unsayable: number[] = [];
  visit(document, {
    Scalar: (position, node) => {
      if (typeof node.value !== 'number' || node.source === undefined) return;
      const json = jsonNumber(node.source);
      if (json === undefined) unsayable.push(node.range?.[0] ?? 0);
      const number = json === undefined ? undefined : numberOf(json);
      if (typeof number === 'object') node.value = position === 'key' ? String(number) : number;
    },
  });
  return unsayable;
}

/** A number of YAML 1.2 (section 10.3.2) in the form of JSON; undefined for `.inf` and `.nan`, which JSON has not. */
function jsonNumber(source: string): string | undefined {
  if (/^0(x[\da-f]+|o[0-7]+)$/i.test(source)) return BigInt(source).toString();
  const [, sign = '', whole, fraction, exponent = ''] =
    /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+)?$/.exec(source) ?? [];
  if (whole === undefined) return undefined;
  const digits = whole.replace(/^0+(?=\d)/, '') || '0';
  return `${sign === '-' ? '-' : ''}${digits}${fraction ? `.${fraction}` : ''}${exponent}`;
}

/** Where a field below a node begins; of one that is missing, where what should have it does. */
export function offsetOf(node: unknown, [step, ...rest]: readonly PropertyKey[]): number {
  if (isMap(node)) {
    const pair = node.items.find((item) => step !== undefined && keyOf(item) === step);
    if (pair !== undefined)
      return hasParts(pair.value) && rest.length > 0 ? offsetOf(pair.value, rest) : startOf(pair.key);
  }
  const item: unknown = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? startOf(node) : offsetOf(item, rest);
}

function hasParts(node: unknown): boolean {
  return isMap(node) || isSeq(node);
}

function keyOf({ key }: Pair): unknown {
  return isScalar(key) ? key.value : undefined;
}

function startOf(node: unknown): number {
  return isNodeWithRange(node) ? node.range[0] : 0;
}

function isNodeWithRange(node: unknown): node is { range: NonNullable<Node['range']> } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
