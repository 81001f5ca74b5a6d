import type { JSONValue } from '@jmespath-community/jmespath';
import { readMessage } from '../../errors/errors.js';
import { deepestJson, isDeeperThan } from '../../text/exact-json.js';
import { ExactNumber } from '../../text/exact-number.js';
import { replaceFunctions } from './query-functions.js';
import { assertJmespath, refuseQuery, type Tokenizer } from './query-syntax.js';
import { constants, isPath, isSelection, listComparedWords, listKeys, listNames } from './query-tree.js';

/** Applies `--query` to a JSON value. @throws UsageError if the evaluation fails */
export interface CompiledExpression {
  (value: unknown): unknown;
  readonly fields: ReadonlySet<string>;
  /** Unquoted words in comparisons. JMESPath reads them as fields; many users mean text, or `true`, `false` or `null`. */
  readonly comparedWords?: readonly string[];
  /** The query, if it only names fields, such as `config.host`: in a list it finds nothing. */
  readonly path?: string | undefined;
  /** The fields of the result's items, if the query makes those items, as in `[].{id: id, host: config.host}`. */
  readonly keys?: readonly string[] | undefined;
}

/** Advice on a query that found nothing because it names fields that the data does not have. */
export function explainNothing(
  query: CompiledExpression,
  answer: unknown,
  asked: unknown,
): string | undefined {
  if (!Array.isArray(asked)) return answer === null ? explainField(query, asked) : undefined;
  const isNothing = answer === null || (Array.isArray(answer) && answer.length === 0);
  if (answer === null && query.path !== undefined) return explainPath(query, asked);
  return explainWord(query, asked, isNothing);
}

function explainPath(query: CompiledExpression, values: unknown[]): string | undefined {
  return values.some((value) => (query(value) ?? null) !== null)
    ? `--query: a list has no fields of its own; for those of its items: '[].${query.path}'`
    : undefined;
}

/** A constant is explained whatever is found, because `enabled != false` finds every value. */
function explainWord(
  { comparedWords = [] }: CompiledExpression,
  values: unknown[],
  isNothing: boolean,
): string | undefined {
  if (values.length === 0) return undefined;
  const word = comparedWords.find(
    (name) => (isNothing || constants.includes(name)) && !values.some((value) => hasField(value, name)),
  );
  if (word === undefined) return undefined;
  const advice = constants.includes(word)
    ? `write it in backticks: \`${word}\``
    : `write text in quotes: '${word}'`;
  return `--query: ${word} is read as a field, but no value has it; ${advice}`;
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
    throw refuseQuery(expression, `nested deeper than ${deepestJson} levels`, library);
  assertJmespath(expression, tree, library);
  // The library would report this only when it evaluates the query, after the request.
  const unknown = listNames(tree, 'Function').find((name) => !isRegistered(name));
  if (unknown !== undefined) throw refuseQuery(expression, `unknown function ${unknown}()`, library);
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
    keys: listKeys(tree),
  });
}

function evaluate<T>(expression: string, library: Tokenizer, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw refuseQuery(expression, readMessage(error), library, error);
  }
}

/** Exact numbers become doubles for the library. Parts without exact numbers keep their identity, for `sameRows`. */
function withDoubles(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.valueOf();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, withDoubles(field)] as const);
  if (entries.every(([name, field]) => Reflect.get(value, name) === field)) return value;
  return Array.isArray(value) ? entries.map(([, field]) => field) : Object.fromEntries(entries);
}

// Results may be undefined, or a function inherited from a prototype.
function isJsonValue(value: unknown): value is JSONValue {
  return value === null || ['object', 'string', 'number', 'boolean'].includes(typeof value);
}
