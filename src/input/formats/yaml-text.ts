import type { Document, Node, Pair } from 'yaml';
import { Composer, type CST, isMap, isScalar, isSeq, Lexer, LineCounter, Parser } from 'yaml';
import { deepestJson } from '../../text/exact-json.js';
import { tooDeepAt } from './json-text.js';
import { MalformedText, type TextPlace } from './malformed-text.js';

export interface YamlText {
  readonly documents: readonly Document.Parsed[];
  readonly placeAt: (offset: number) => TextPlace;
}

/** About 1.5 MB of typical YAML; limits time and memory. */
const maxTokens = 1_000_000;

/** Parses YAML 1.2 with merge keys (`<<`), in linear time and memory. @throws MalformedText for the first problem */
export function parseYamlText(text: string): YamlText {
  const counter = new LineCounter();
  const placeAt = (offset: number) => {
    const { line, col: column } = counter.linePos(offset);
    return { line, column };
  };
  const tokens = readTokens(text, counter, placeAt);
  // `plainValue` finds duplicate keys: the library would compare each key with all previous ones.
  const options = { prettyErrors: false, merge: true, resolveKnownTags: false, uniqueKeys: false };
  const composer = stopAtFirstProblem(new Composer(options), placeAt);
  const documents = [...composer.compose(tokens)];
  const [problem] = [...documents, composer.streamInfo()].flatMap(({ errors, warnings }) => [
    ...errors,
    ...warnings,
  ]);
  if (problem !== undefined) throw malformedYaml(problem.message, placeAt(problem.pos[0]));
  return { documents, placeAt };
}

function readTokens(text: string, counter: LineCounter, placeAt: YamlText['placeAt']): CST.Token[] {
  counter.addNewLine(0);
  const parser = new Parser(counter.addNewLine);
  const tokens: CST.Token[] = [];
  let count = 0;
  for (const lexeme of new Lexer().lex(text)) {
    count += 1;
    if (count > maxTokens) {
      const what = `more than ${maxTokens} tokens of YAML; use JSON, which has no such limit`;
      throw new MalformedText(what, placeAt(parser.offset));
    }
    for (const token of parser.next(lexeme)) {
      tokens.push(token);
      if (token.type === 'error') return tokens;
    }
    // Parser and composer recurse for each level. `+ 2`: the stack also holds the document and a scalar.
    if (parser.stack.length > deepestJson + 2) throw tooDeepAt(placeAt(parser.offset));
  }
  return [...tokens, ...parser.end()];
}

/**
 * Throws the first problem, because collecting an Error for each takes much time and memory. Warnings count, too: an
 * unknown tag is usually a password that begins with an exclamation mark.
 */
function stopAtFirstProblem(composer: Composer, placeAt: YamlText['placeAt']): Composer {
  let first: MalformedText | undefined;
  const onError = (source: ProblemSource, _code: string, message: string) => {
    const offset = typeof source === 'number' ? source : 'offset' in source ? source.offset : source[0];
    // Each level of the composer catches errors from the level below, and reports them again.
    first ??= malformedYaml(message, placeAt(offset));
    throw first;
  };
  return Object.assign(composer, { onError });
}

type ProblemSource = number | readonly [number, ...number[]] | { readonly offset: number };

function malformedYaml(message: string, at: TextPlace): MalformedText {
  return new MalformedText(withoutText(message), at, { isSyntax: true });
}

function withoutText(message: string): string {
  return message.replace(/((?<=\w): | \\|(?<=directive|version) ).*$/s, '').replace(/!\S+/, '!…');
}

export function findOffset(node: unknown, [step, ...rest]: readonly PropertyKey[]): number {
  if (isMap(node)) {
    const pair = node.items.find((item) => step !== undefined && readKey(item) === step);
    if (pair !== undefined)
      return hasParts(pair.value) && rest.length > 0 ? findOffset(pair.value, rest) : findStart(pair.key);
  }
  const item: unknown = isSeq(node) && typeof step === 'number' ? node.items[step] : undefined;
  return item === undefined ? findStart(node) : findOffset(item, rest);
}

function hasParts(node: unknown): boolean {
  return isMap(node) || isSeq(node);
}

function readKey({ key }: Pair): unknown {
  return isScalar(key) ? key.value : undefined;
}

export function findStart(node: unknown): number {
  return isNodeWithRange(node) ? node.range[0] : 0;
}

function isNodeWithRange(node: unknown): node is { range: NonNullable<Node['range']> } {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range);
}
