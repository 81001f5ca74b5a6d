import type { Document, Node, Pair } from 'yaml';
import { Composer, type CST, isMap, isScalar, isSeq, LineCounter, Parser, visit } from 'yaml';
import { parseJson, printJson } from '../../contract/exact-json.js';
import { keepNumbers } from '../yaml-numbers.js';
import type { Entries, Field } from './entries.js';

/** Text that is not YAML, or asks more of a reader than a list of entries may. */
export class MalformedYaml extends Error {
  /** From 1. */
  readonly line: number;

  constructor(message: string, line: number, options?: ErrorOptions) {
    super(message, options);
    this.line = line;
  }
}

// What an entry may have (see `entry.ts`), with room for documents, lists and keys round it.
const maxDepth = 80;

/**
 * The entries of YAML 1.2, which JSON is a part of: those of a sequence, or one of each document. Merge keys (`<<`)
 * are read, for they are what a list of similar entries is written with.
 *
 * @throws MalformedYaml whose message never repeats the text: it may hold passwords
 */
export function parseYamlEntries(text: string): Entries {
  const { documents, lineAt } = compose(text);
  for (const document of documents) complain(document, lineAt);
  const filled = documents.filter(({ contents }) => contents !== null && !isNull(contents));
  const entries = filled.flatMap((document): unknown[] => {
    const value = plainValue(document, lineAt);
    return Array.isArray(value) ? value : [value];
  });
  const isList = filled.length !== 1 || isSeq(filled[0]?.contents);
  return { isList, entries, lineOf: locator(filled, lineAt) };
}

/** Finds lines in text that was read otherwise, such as JSON. Whatever is wrong with it as YAML does not matter here. */
export function yamlLines(text: string): Entries['lineOf'] {
  try {
    const { documents, lineAt } = compose(text);
    return locator(documents, lineAt);
  } catch (error) {
    if (error instanceof MalformedYaml) return async () => error.line;
    throw error;
  }
}

type LineAt = (offset: number) => number;

function compose(text: string): { documents: Document.Parsed[]; lineAt: LineAt } {
  const counter = new LineCounter();
  const lineAt = (offset: number) => counter.linePos(offset).line;
  const tokens = [...new Parser(counter.addNewLine).parse(text)];
  // The composer calls itself for every level, and a process whose stack is used up cannot always be caught.
  refuseDepth(tokens, lineAt);
  const composer = new Composer({ prettyErrors: false, merge: true, resolveKnownTags: false });
  return { documents: [...composer.compose(tokens)], lineAt };
}

function refuseDepth(tokens: readonly CST.Token[], lineAt: LineAt): void {
  let level: readonly CST.Token[] = tokens;
  for (let depth = 0; level.length > 0; depth += 1) {
    const [first] = level;
    if (depth > maxDepth && first !== undefined) {
      throw new MalformedYaml(`nested deeper than ${maxDepth} levels`, lineAt(first.offset));
    }
    level = level.flatMap(children);
  }
}

function children(token: CST.Token): CST.Token[] {
  if (token.type === 'document') return token.value === undefined ? [] : [token.value];
  if (!('items' in token)) return [];
  return token.items.flatMap(({ key, value }) => [key, value].filter((child) => child != null));
}

// A warning is as bad: a tag that nobody knows is most often a password that begins with an exclamation mark.
function complain(document: Document.Parsed, lineAt: LineAt): void {
  const [problem] = [...document.errors, ...document.warnings];
  if (problem !== undefined) throw new MalformedYaml(withoutText(problem.message), lineAt(problem.pos[0]));
  const [unsayable] = keepNumbers(document);
  if (unsayable !== undefined) {
    throw new MalformedYaml('a number that JSON has no form for; text is quoted', lineAt(unsayable));
  }
  visit(document, {
    Alias: (_key, alias) => {
      if (alias.resolve(document) !== undefined) return;
      throw new MalformedYaml(
        'an alias without its anchor; text that begins with * is quoted',
        lineAt(alias.range?.[0] ?? 0),
      );
    },
  });
}

/** A message of the parser without the piece of text that it quotes at its end. */
function withoutText(message: string): string {
  return message.replace(/((?<=\w): | \\).*$/s, '');
}

/** The value as it would be sent: without aliases, and nothing in it that JSON cannot say. */
function plainValue(document: Document.Parsed, lineAt: LineAt): unknown {
  try {
    return parseJson(printJson(document.toJS()));
  } catch (error) {
    const what = 'an alias that contains itself, or too many aliases';
    throw new MalformedYaml(what, lineAt(document.range[0]), { cause: error });
  }
}

function isNull(node: unknown): boolean {
  return isScalar(node) && node.value === null;
}

function locator(documents: readonly Document.Parsed[], lineAt: LineAt): Entries['lineOf'] {
  const nodes = documents.flatMap(({ contents }): unknown[] =>
    isSeq(contents) ? contents.items : [contents],
  );
  return async ({ entry, path }) => lineAt(offsetOf(nodes[entry], path));
}

/** Where a field begins, or where what should have it does. */
function offsetOf(node: unknown, [step, ...rest]: Field['path']): number {
  if (step !== undefined && isMap(node)) {
    const pair = node.items.find((item) => keyOf(item) === step);
    if (pair !== undefined && rest.length === 0) return startOf(pair.key);
    if (pair !== undefined) return isMap(pair.value) ? offsetOf(pair.value, rest) : startOf(pair.key);
  }
  return startOf(node);
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
