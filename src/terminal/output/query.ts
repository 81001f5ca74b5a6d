import type { JSONValue } from '@jmespath-community/jmespath';
import { readMessage, UsageError } from '../../errors/errors.js';
import { deepestJson, isDeeperThan } from '../../text/exact-json.js';
import { ExactNumber } from '../../text/exact-number.js';
import { replaceFunctions } from './query-functions.js';

/** Applies `--query` to a JSON value. @throws UsageError if the evaluation fails */
export interface CompiledExpression {
  (value: unknown): unknown;
  readonly fields: ReadonlySet<string>;
  /** Unquoted words on the right of comparisons. JMESPath reads them as fields; many users mean strings. */
  readonly comparedWords?: readonly string[];
  /** The query, if it only names fields, such as `config.host`: in a list it finds nothing. */
  readonly path?: string | undefined;
}

/** Advice on a query that found nothing because it names fields that the data does not have. */
export function explainNothing(
  query: CompiledExpression,
  answer: unknown,
  asked: unknown,
): string | undefined {
  if (!Array.isArray(asked)) return answer === null ? explainField(query, asked) : undefined;
  const isNothing = answer === null || (Array.isArray(answer) && answer.length === 0);
  if (!isNothing) return undefined;
  return answer === null && query.path !== undefined ? explainPath(query, asked) : explainWord(query, asked);
}

function explainPath(query: CompiledExpression, values: unknown[]): string | undefined {
  return values.some((value) => (query(value) ?? null) !== null)
    ? `--query: a list has no fields of its own; for those of its items: '[].${query.path}'`
    : undefined;
}

function explainWord({ comparedWords = [] }: CompiledExpression, values: unknown[]): string | undefined {
  if (values.length === 0) return undefined;
  const word = comparedWords.find((name) => !values.some((value) => hasField(value, name)));
  return word && `--query: ${word} is read as a field, but no value has it; write text in quotes: '${word}'`;
}

const maxNamedFields = 20;

function explainField({ fields }: CompiledExpression, value: unknown): string | undefined {
  const [name] = fields;
  if (typeof value !== 'object' || value === null || name === undefined) return undefined;
  if ([...fields].some((field) => hasField(value, field))) return undefined;
  const there = Object.keys(value);
  const more = there.length > maxNamedFields ? ` and ${there.length - maxNamedFields} more` : '';
  const listed = there.slice(0, maxNamedFields).join(', ');
  return `--query: ${name} is not a field; fields: ${listed}${more}`;
}

function hasField(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name);
}

/** Tries a query on an example, unless the query reads fields that the example lacks. @throws UsageError if it fails */
export function assertApplies(
  query: CompiledExpression,
  example: Readonly<Record<string, unknown>>,
  isList: boolean,
): void {
  if ([...query.fields].every((name) => Object.hasOwn(example, name))) query(isList ? [example] : example);
}

/** Compiles JMESPath (jmespath.site) before any request. @throws UsageError for an invalid expression */
export async function compileQuery(expression: string): Promise<CompiledExpression> {
  const library = await import('@jmespath-community/jmespath');
  replaceFunctions(library);
  const { compile, isRegistered, TreeInterpreter } = library;
  const tree = evaluate(expression, library, () => compile(expression));
  if (isDeeperThan(deepestJson, tree))
    throw badQuery(expression, `nested deeper than ${deepestJson} levels`, library);
  // The library would report this only when it evaluates the query, after the request.
  const unknown = listNames(tree, 'Function').find((name) => !isRegistered(name));
  if (unknown !== undefined) throw badQuery(expression, `unknown function ${unknown}()`, library);
  const computes = !isSelection(tree);
  const query = (value: unknown) => {
    const data = computes ? withDoubles(value) : value;
    const answer: unknown = evaluate(expression, library, () =>
      TreeInterpreter.search(tree, isJsonValue(data) ? data : null),
    );
    return isJsonValue(answer) ? answer : null;
  };
  return Object.assign(query, {
    fields: new Set(listNames(tree, 'Field')),
    comparedWords: listComparedWords(tree),
    path: isPath(tree) ? expression.trim() : undefined,
  });
}

function evaluate<T>(expression: string, library: Tokenizer, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw badQuery(expression, readMessage(error), library, error);
  }
}

type Tokenizer = Pick<typeof import('@jmespath-community/jmespath'), 'tokenize'>;

function badQuery(expression: string, reason: string, library: Tokenizer, cause?: unknown): UsageError {
  return new UsageError(`--query ${JSON.stringify(expression)}: ${reason}`, {
    hint: adviseSyntax(expression, readTokens(expression, library)),
    cause,
  });
}

interface Token {
  readonly start: number;
  readonly type: string;
  readonly value: unknown;
}

function readTokens(expression: string, { tokenize }: Tokenizer): readonly Token[] {
  try {
    return tokenize(expression);
  } catch {
    return [];
  }
}

/** JMESPath reads hyphens as minus signs and bare words as fields. It rejects bare numbers. */
function adviseSyntax(expression: string, tokens: readonly Token[]): string {
  const quoted = quoteHyphenated(expression, tokens);
  if (quoted !== expression) return `quote a name with a hyphen: '${quoted}'`;
  const number = tokens.find((token, at) => isBareNumber(token, tokens[at - 1]));
  if (number !== undefined) {
    const { start, value } = number;
    const after = start + String(value).length;
    const marked = `${expression.slice(0, start)}\`${value}\`${expression.slice(after)}`;
    return `put a number in backticks and text in single quotes: '${marked}'`;
  }
  const quotedWord = /`([\w-]+)`/g;
  const asText = expression.replaceAll(quotedWord, (whole, word) => (isJson(word) ? whole : `'${word}'`));
  if (asText !== expression) return `backticks are for JSON; put text in single quotes: "${asText}"`;
  return 'see the JMESPath syntax: https://jmespath.site/main/';
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function isBareNumber({ type }: Token, before: Token | undefined): boolean {
  return type === 'Number' && before?.type !== 'Lbracket' && before?.type !== 'Colon';
}

/** Quotes each run of names joined only by hyphens, without spaces. */
function quoteHyphenated(expression: string, tokens: readonly Token[]): string {
  let text = expression;
  for (let last = tokens.length - 1; last > 0; last -= 1) {
    let first = last;
    while (isJoined(tokens, first)) first -= 2;
    const [from, to] = [tokens[first], tokens[last]];
    if (from === undefined || to === undefined || first === last) continue;
    const end = to.start + String(to.value).length;
    text = `${text.slice(0, from.start)}"${text.slice(from.start, end)}"${text.slice(end)}`;
    last = first;
  }
  return text;
}

/** Whether the token at `at` is a name that a hyphen without spaces joins to the preceding name. */
function isJoined(tokens: readonly Token[], at: number): boolean {
  const [name, hyphen, next] = [tokens[at - 2], tokens[at - 1], tokens[at]];
  return (
    name?.type === 'UnquotedIdentifier' &&
    hyphen?.type === 'Minus' &&
    next?.type === 'UnquotedIdentifier' &&
    name.start + String(name.value).length === hyphen.start &&
    hyphen.start + 1 === next.start
  );
}

/** Types of expressions that do not compute with values. */
const selecting = new Set<unknown>([
  ...['Current', 'Field', 'Flatten', 'Identity', 'Index', 'IndexExpression', 'KeyValuePair', 'Literal'],
  ...['MultiSelectHash', 'MultiSelectList', 'Pipe', 'Projection', 'Root', 'Slice', 'Subexpression'],
  'ValueProjection',
]);

function isSelection(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return true;
  if ('type' in node && node.type === 'Literal') return true;
  if ('type' in node && !selecting.has(node.type)) return false;
  return Object.values(node).every(isSelection);
}

/** Exact numbers become doubles for the library. Parts without exact numbers keep their identity, for `sameRows`. */
function withDoubles(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.valueOf();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, withDoubles(field)] as const);
  if (entries.every(([name, field]) => Reflect.get(value, name) === field)) return value;
  return Array.isArray(value) ? entries.map(([, field]) => field) : Object.fromEntries(entries);
}

function listNames(node: unknown, type: 'Function' | 'Field'): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap((child) => listNames(child, type));
  const isOne = 'type' in node && node.type === type && 'name' in node;
  return isOne ? [String(node.name), ...inner] : inner;
}

function isPath(node: unknown): boolean {
  if (typeof node !== 'object' || node === null || !('type' in node)) return false;
  if (node.type === 'Field') return true;
  return (
    node.type === 'Subexpression' &&
    'left' in node &&
    'right' in node &&
    isPath(node.left) &&
    isPath(node.right)
  );
}

function listComparedWords(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(listComparedWords);
  if (!('type' in node && node.type === 'Comparator' && 'right' in node)) return inner;
  const { right } = node;
  const isWord = typeof right === 'object' && right !== null && 'type' in right && right.type === 'Field';
  return isWord && 'name' in right ? [...inner, String(right.name)] : inner;
}

// Results may be undefined, or a function inherited from a prototype.
function isJsonValue(value: unknown): value is JSONValue {
  return value === null || ['object', 'string', 'number', 'boolean'].includes(typeof value);
}
