import type { JSONValue } from '@jmespath-community/jmespath';
import { readMessage, UsageError } from '../../errors/errors.js';
import { deepestJson, isDeeperThan } from '../../text/exact-json.js';
import { ExactNumber } from '../../text/exact-number.js';

/** Applies `--query` to a JSON value. @throws UsageError when it does not apply */
export interface CompiledExpression {
  (value: unknown): unknown;
  readonly fields: ReadonlySet<string>;
}

/** Tries a query on an example; inconclusive if it reads other fields. @throws UsageError when it cannot apply */
export function assertApplies(
  query: CompiledExpression,
  example: Readonly<Record<string, unknown>>,
  isList: boolean,
): void {
  if ([...query.fields].every((name) => Object.hasOwn(example, name))) query(isList ? [example] : example);
}

/** Compiles JMESPath (jmespath.site) before any request. @throws UsageError for bad syntax or unknown functions */
export async function compileQuery(expression: string): Promise<CompiledExpression> {
  const { compile, isRegistered, TreeInterpreter } = await import('@jmespath-community/jmespath');
  const tree = evaluate(expression, () => compile(expression));
  if (isDeeperThan(deepestJson, tree)) throw badQuery(expression, `nested deeper than ${deepestJson} levels`);
  // The library only notices when it evaluates, after the request.
  const unknown = listNames(tree, 'Function').find((name) => !isRegistered(name));
  if (unknown !== undefined) throw badQuery(expression, `there is no function ${unknown}()`);
  const computes = !isSelection(tree);
  const query = (value: unknown) => {
    const data = computes ? withDoubles(value) : value;
    const answer: unknown = evaluate(expression, () =>
      TreeInterpreter.search(tree, isJsonValue(data) ? data : null),
    );
    return isJsonValue(answer) ? answer : null;
  };
  return Object.assign(query, { fields: new Set(listNames(tree, 'Field')) });
}

function evaluate<T>(expression: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw badQuery(expression, readMessage(error), error);
  }
}

function badQuery(expression: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(`--query ${JSON.stringify(expression)}: ${reason}`, {
    hint: adviseSyntax(expression),
    cause,
  });
}

/** JMESPath takes a hyphen for a minus sign, and bare words for fields. */
function adviseSyntax(expression: string): string {
  const [hyphenated] = /(?<![\w"'`-])[A-Za-z_]\w*(?:-[A-Za-z_]\w*)+(?![\w"'`-])/.exec(expression) ?? [];
  const syntax = 'the syntax is that of JMESPath: https://jmespath.site/main/';
  return hyphenated === undefined
    ? syntax
    : `a name with a hyphen is quoted: '${expression.replace(hyphenated, `"${hyphenated}"`)}'`;
}

/** Expressions that pass values on without looking at them. */
const selecting = new Set<unknown>([
  ...['Current', 'Field', 'Flatten', 'Identity', 'Index', 'IndexExpression', 'KeyValuePair', 'Literal'],
  ...['MultiSelectHash', 'MultiSelectList', 'Pipe', 'Projection', 'Root', 'Slice', 'Subexpression'],
  'ValueProjection',
]);

/** Whether a query only picks values, without comparing or calculating. */
function isSelection(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return true;
  if ('type' in node && node.type === 'Literal') return true;
  if ('type' in node && !selecting.has(node.type)) return false;
  return Object.values(node).every(isSelection);
}

/** Exact numbers become doubles for the library. Other parts keep their identity, which shows picked rows. */
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

// Results may be undefined, or a function of a prototype.
function isJsonValue(value: unknown): value is JSONValue {
  return value === null || ['object', 'string', 'number', 'boolean'].includes(typeof value);
}
