import type { JSONValue } from '@jmespath-community/jmespath';
import { messageOf, UsageError } from '../../errors/errors.js';
import { deepest, isDeeperThan } from '../../text/exact-json.js';
import { ExactNumber } from '../../text/exact-number.js';

/** A compiled `--query`: from a JSON value to what is printed in its place. @throws UsageError when it does not apply */
export interface Query {
  (value: unknown): unknown;
  /** The names of all fields that it reads, at any depth. */
  readonly fields: ReadonlySet<string>;
}

/**
 * Tries a query on an example of what it will get. Only one that reads no other fields can be judged by that: of others
 * nobody knows what they hold.
 *
 * @throws UsageError when it cannot apply
 */
export function assertApplies(
  query: Query,
  example: Readonly<Record<string, unknown>>,
  isList: boolean,
): void {
  if ([...query.fields].every((name) => Object.hasOwn(example, name))) query(isList ? [example] : example);
}

/**
 * Compiles a JMESPath expression (jmespath.site), so that a wrong one is refused before any request is sent.
 *
 * @throws UsageError for what does not parse, or calls a function that does not exist
 */
export async function compileQuery(expression: string): Promise<Query> {
  const { compile, isRegistered, TreeInterpreter } = await import('@jmespath-community/jmespath');
  const tree = attempt(expression, () => compile(expression));
  if (isDeeperThan(deepest, tree)) throw badQuery(expression, `nested deeper than ${deepest} levels`);
  // The library finds out only when it gets there, which is after the request.
  const unknown = namesIn(tree, 'Function').find((name) => !isRegistered(name));
  if (unknown !== undefined) throw badQuery(expression, `there is no function ${unknown}()`);
  const computes = !isSelection(tree);
  const query = (value: unknown) => {
    const data = computes ? withDoubles(value) : value;
    const answer: unknown = attempt(expression, () =>
      TreeInterpreter.search(tree, isJson(data) ? data : null),
    );
    return isJson(answer) ? answer : null;
  };
  return Object.assign(query, { fields: new Set(namesIn(tree, 'Field')) });
}

function attempt<T>(expression: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw badQuery(expression, messageOf(error), error);
  }
}

function badQuery(expression: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(`--query ${JSON.stringify(expression)}: ${reason}`, {
    hint: 'the syntax is that of JMESPath: https://jmespath.site/main/',
    cause,
  });
}

/** Expressions that hand values on without looking at them. */
const selecting = new Set<unknown>([
  ...['Current', 'Field', 'Flatten', 'Identity', 'Index', 'IndexExpression', 'KeyValuePair', 'Literal'],
  ...['MultiSelectHash', 'MultiSelectList', 'Pipe', 'Projection', 'Root', 'Slice', 'Subexpression'],
  'ValueProjection',
]);

/** Whether a syntax tree only picks values out of its data, without comparing or calculating. */
function isSelection(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return true;
  if ('type' in node && node.type === 'Literal') return true;
  if ('type' in node && !selecting.has(node.type)) return false;
  return Object.values(node).every(isSelection);
}

/**
 * A JSON value with the nearest double in place of each exact number, which the library would take for an object. A part
 * without one stays the same object, by which a picked row is recognized.
 */
function withDoubles(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.valueOf();
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, field]) => [name, withDoubles(field)] as const);
  if (entries.every(([name, field]) => Reflect.get(value, name) === field)) return value;
  return Array.isArray(value) ? entries.map(([, field]) => field) : Object.fromEntries(entries);
}

/** The names of all nodes of one type in the syntax tree. */
function namesIn(node: unknown, type: 'Function' | 'Field'): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap((child) => namesIn(child, type));
  const isOne = 'type' in node && node.type === type && 'name' in node;
  return isOne ? [String(node.name), ...inner] : inner;
}

// Data comes out of JSON.parse, where only an absent value has no place; an answer may be a function of a prototype.
function isJson(value: unknown): value is JSONValue {
  return value === null || ['object', 'string', 'number', 'boolean'].includes(typeof value);
}
