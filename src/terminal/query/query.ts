import type { JSONValue } from '@jmespath-community/jmespath';
import { readMessage, UsageError } from '../../errors/errors.js';
import { deepestJson, isDeeperThan } from '../../text/exact-json.js';
import { ExactNumber } from '../../text/exact-number.js';

/** Applies `--query` to a JSON value. @throws UsageError if the evaluation fails */
export interface CompiledExpression {
  (value: unknown): unknown;
  /** Whether the result is empty, or partly empty because the value lacks a field. */
  lacksField(value: unknown): boolean;
}

/** Compiles JMESPath (jmespath.site) before any request. @throws UsageError for an invalid expression */
export async function compileQuery(expression: string): Promise<CompiledExpression> {
  const library = await import('@jmespath-community/jmespath');
  replaceFunctions(library);
  const { compile, isRegistered, TreeInterpreter } = library;
  const tree = evaluate(expression, () => compile(expression));
  if (isDeeperThan(deepestJson, tree))
    throw refuseQuery(expression, `nested deeper than ${deepestJson} levels`);
  const nodes = [...walk(tree)];
  const mistake = nodes.find((node) => node.mistake !== undefined)?.mistake;
  if (mistake !== undefined) throw refuseQuery(expression, mistake);
  // The library would report this only when it evaluates the query, after the request.
  const unknown = nodes.find(({ type, name }) => type === 'Function' && !isRegistered(name));
  if (unknown !== undefined) throw refuseQuery(expression, `unknown function ${unknown.name}()`);
  const computes = nodes.some(({ type }) => !selecting.has(type));
  const query = (value: unknown) => {
    const data = computes ? withDoubles(value) : value;
    const answer: unknown = evaluate(expression, () =>
      TreeInterpreter.search(tree, isJsonValue(data) ? data : null),
    );
    return isJsonValue(answer) ? answer : null;
  };
  const fields = nodes.filter(({ type }) => type === 'Field');
  const lacksField = (value: unknown) => {
    const leaves = listLeaves(query(value));
    const gaps = leaves.filter((leaf) => leaf === undefined || leaf === null || leaf === '').length;
    const isLacking = fields.some(({ name }) => !Object.hasOwn(Object(value), name));
    return gaps > 0 && (gaps === leaves.length || isLacking);
  };
  return Object.assign(query, { lacksField });
}

/** The scalars in a JSON value; `undefined` for an empty list or object. */
function listLeaves(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return [value];
  return Object.values(value).length === 0 ? [undefined] : Object.values(value).flatMap(listLeaves);
}

/** Types of expressions that do not compute with values, so that numbers stay exact. */
const selecting = new Set([
  ...['Current', 'Field', 'Flatten', 'Identity', 'Index', 'IndexExpression', 'KeyValuePair', 'Literal'],
  ...['MultiSelectHash', 'MultiSelectList', 'Pipe', 'Projection', 'Root', 'Slice', 'Subexpression'],
  'ValueProjection',
]);

interface Node {
  readonly type: string;
  readonly name: string;
  /** Syntax that the package accepts although it is not JMESPath, or that selects everything or nothing. */
  readonly mistake: string | undefined;
}

/** The nodes of a syntax tree. An array of children belongs to the node that has it. */
function* walk(node: unknown, parent = ''): Generator<Node> {
  if (typeof node !== 'object' || node === null) return;
  const type = 'type' in node ? String(node.type) : parent;
  const mistakes: Readonly<Record<string, string | false>> = {
    Binding: parent !== 'LetExpression' && 'a single = does not compare; write ==',
    ExpressionReference: parent !== 'Function' && 'a single & is only for arguments of functions; write &&',
    MultiSelectList: 'children' in node && `${node.children}` === '' && 'the brackets are empty; write []',
  };
  const mistake = ('type' in node && mistakes[type]) || undefined;
  if ('type' in node) yield { type, name: 'name' in node ? String(node.name) : '', mistake };
  if (type !== 'Literal') for (const child of Object.values(node)) yield* walk(child, type);
}

function evaluate<T>(expression: string, act: () => T): T {
  try {
    return act();
  } catch (error) {
    throw refuseQuery(expression, readMessage(error), error);
  }
}

function refuseQuery(expression: string, reason: string, cause?: unknown): UsageError {
  return new UsageError(`--query ${JSON.stringify(expression)}: ${reason}`, {
    hint: 'text is in single quotes, numbers in backticks, names with a hyphen in double quotes: https://jmespath.site/main/',
    cause,
  });
}

function withDoubles(value: unknown): unknown {
  if (value instanceof ExactNumber) return value.valueOf();
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map(withDoubles);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, withDoubles(field)]));
}

// A result may be undefined, or an inherited function.
function isJsonValue(value: unknown): value is JSONValue {
  return value === null || ['object', 'string', 'number', 'boolean'].includes(typeof value);
}

type Library = Pick<
  typeof import('@jmespath-community/jmespath'),
  'register' | 'TreeInterpreter' | 'TYPE_ARRAY' | 'TYPE_EXPREF'
>;
type Expression = Parameters<Library['TreeInterpreter']['visit']>[0];
type Argument = JSONValue | Expression;

interface Keyed {
  readonly value: JSONValue;
  readonly key: string | number;
}

/**
 * Replaces the package's functions that order or group values: its `max_by()` compares text with infinity, `sort()`
 * orders numbers as text, `max()` orders text by the machine's locale, and `group_by()` loses the key `__proto__`.
 */
function replaceFunctions({ register, TreeInterpreter, TYPE_ARRAY, TYPE_EXPREF }: Library): void {
  const list = { types: [TYPE_ARRAY] };
  const readKey = (expression: Argument | undefined) => (value: JSONValue) =>
    isExpression(expression) ? TreeInterpreter.visit(expression, value) : value;
  const replace = (name: string, pick: (keyed: Keyed[]) => JSONValue, takesKey: boolean) =>
    register<string>(
      name,
      ([values, expression]) => pick(toKeyed(name, values, readKey(expression))),
      takesKey ? [list, { types: [TYPE_EXPREF] }] : [list],
      { override: true },
    );
  for (const [name, pick] of Object.entries(picks)) {
    replace(name, pick, false);
    replace(`${name}_by`, pick, true);
  }
  replace('group_by', group, true);
}

/** Of several equal values, `min` and `max` take the first. */
const picks: Readonly<Record<string, (keyed: Keyed[]) => JSONValue>> = {
  sort: (keyed) => keyed.sort(compareKeys).map(({ value }) => value),
  min: (keyed) => keyed.sort(compareKeys)[0]?.value ?? null,
  max: (keyed) => keyed.sort((one, other) => compareKeys(other, one))[0]?.value ?? null,
};

function group(keyed: readonly Keyed[]): JSONValue {
  const groups = new Map<unknown, JSONValue[]>(keyed.map(({ key }) => [key, []]));
  for (const { key, value } of keyed) groups.get(key)?.push(value);
  return Object.fromEntries(groups);
}

/** @throws Error unless the keys are all numbers or all text */
function toKeyed(
  name: string,
  values: Argument | undefined,
  readKey: (value: JSONValue) => unknown,
): Keyed[] {
  const refusal = `${name}() takes only numbers, or only text`;
  let type: string | undefined;
  return (Array.isArray(values) ? values : []).map((value) => {
    const key = readKey(value);
    type ??= typeof key;
    if ((typeof key === 'string' || typeof key === 'number') && typeof key === type) return { value, key };
    throw new Error(refusal);
  });
}

function compareKeys({ key: one }: Keyed, { key: other }: Keyed): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function isExpression(argument: Argument | undefined): argument is Expression {
  return typeof argument === 'object' && argument !== null && 'expref' in argument;
}
