import type { JSONValue } from '@jmespath-community/jmespath';
import { readMessage } from '../../errors/errors.js';
import { deepestJson, isDeeperThan } from '../../text/exact-json.js';
import { ExactNumber } from '../../text/exact-number.js';
import { replaceFunctions } from './query-functions.js';
import { assertJmespath, refuseQuery } from './query-syntax.js';
import { isSelection, listKeys, listNames } from './query-tree.js';

/** Applies `--query` to a JSON value. @throws UsageError if the evaluation fails */
export interface CompiledExpression {
  (value: unknown): unknown;
  readonly fields: ReadonlySet<string>;
  /** The fields of the result's items, if the query makes those items, as in `[].{id: id, host: config.host}`. */
  readonly keys?: readonly string[] | undefined;
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
  const tree = evaluate(expression, () => compile(expression));
  if (isDeeperThan(deepestJson, tree))
    throw refuseQuery(expression, `nested deeper than ${deepestJson} levels`);
  assertJmespath(expression, tree, library);
  // The library would report this only when it evaluates the query, after the request.
  const unknown = listNames(tree, 'Function').find((name) => !isRegistered(name));
  if (unknown !== undefined) throw refuseQuery(expression, `unknown function ${unknown}()`);
  const computes = !isSelection(tree);
  const query = (value: unknown) => {
    const data = computes ? withDoubles(value) : value;
    const answer: unknown = evaluate(expression, () =>
      TreeInterpreter.search(tree, isJsonValue(data) ? data : null),
    );
    return isJsonValue(answer) ? answer : null;
  };
  return Object.assign(query, {
    fields: new Set(listNames(tree, 'Field')),
    keys: listKeys(tree),
  });
}

function evaluate<T>(expression: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw refuseQuery(expression, readMessage(error), error);
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
