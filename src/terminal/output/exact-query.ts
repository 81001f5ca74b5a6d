import type * as jmespath from '@jmespath-community/jmespath';
import { printJson } from '../../text/exact-json.js';
import { ExactNumber } from '../../text/exact-number.js';

type Library = typeof jmespath;
type Expression = ReturnType<Library['compile']>;
type Result = jmespath.JSONValue;
type Act = (value: unknown, call: (name: string, value: unknown) => unknown) => unknown;

/** Whether a JSON value has an exact number in it, at any depth. */
export function hasExactNumber(value: unknown): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (value instanceof ExactNumber) return true;
  return (Array.isArray(value) ? value : Object.values(value)).some(hasExactNumber);
}

/**
 * The same query for data with exact numbers, which the library takes for empty objects. What is selected, sorted or made
 * into text passes as it is; compared or calculated with are the nearest doubles. This takes longer, so other data goes
 * through the query as it was.
 */
export function exactQuery(expression: Expression, library: Library): Expression {
  const { runtime } = library.TreeInterpreter;
  const call = (name: string, value: unknown) => runtime.callFunction(name, [toResult(value)]);
  for (const [name, act] of functions) {
    const types = [library.TYPE_ANY];
    library.registerFunction(name, ([value]) => toResult(act(value, call)), [{ types }], { override: true });
  }
  return rewritten(expression);
}

// Their names begin so that no expression can call them itself.
const own = 'exact ';

const functions: ReadonlyMap<string, Act> = new Map<string, Act>([
  [`${own}scalar`, scalarOf],
  [`${own}all`, doublesOf],
  [`${own}max`, (value, call) => traced('max', value, call)],
  [`${own}min`, (value, call) => traced('min', value, call)],
  [`${own}sort`, (value, call) => traced('sort', value, call)],
  [`${own}to_number`, (value, call) => (value instanceof ExactNumber ? value : call('to_number', value))],
  [`${own}to_string`, (value) => (typeof value === 'string' ? value : printJson(value))],
]);

// A number that is their argument is no object; what is in an object or list is handed on.
const choosing = new Set(
  'from_items group_by items keys length map max_by merge min_by reverse sort_by type values zip'.split(' '),
);
const handingOn = new Set(['not_null', 'to_array']);

function toResult(value: unknown): Result {
  return isResult(value) ? value : null;
}

// Printers take an exact number for a number, and the library does not look at values that it only passes on.
function isResult(value: unknown): value is Result {
  return value !== undefined && typeof value !== 'function';
}

function scalarOf(value: unknown): unknown {
  return value instanceof ExactNumber ? value.valueOf() : value;
}

function doublesOf(value: unknown): unknown {
  if (!hasExactNumber(value)) return value;
  if (Array.isArray(value)) return value.map(doublesOf);
  if (typeof value !== 'object' || value === null || value instanceof ExactNumber) return scalarOf(value);
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, doublesOf(field)]));
}

/** What a function picks out of a list of numbers, as it stands in the list. */
function traced(name: string, values: unknown, call: Parameters<Act>[1]): unknown {
  const picked = call(name, doublesOf(values));
  if (!Array.isArray(values)) return picked;
  const left = new Map<unknown, unknown[]>();
  for (const value of values) {
    const double = scalarOf(value);
    const same = left.get(double);
    if (same === undefined) left.set(double, [value]);
    else same.push(value);
  }
  const original = (double: unknown) => left.get(double)?.pop() ?? double;
  return Array.isArray(picked) ? picked.map(original) : original(picked);
}

function applied(name: string, child: Expression): Expression {
  return { type: 'Function', name: `${own}${name}`, children: [rewritten(child)] };
}

const scalar = (child: Expression) => applied('scalar', child);
const doubles = (child: Expression) => applied('all', child);

function rewritten(node: Expression): Expression {
  switch (node.type) {
    case 'Comparator':
    case 'Arithmetic':
      return { ...node, left: doubles(node.left), right: doubles(node.right) };
    case 'Unary':
      return { ...node, operand: scalar(node.operand) };
    case 'NotExpression':
      return { ...node, child: scalar(node.child) };
    case 'FilterProjection':
      return {
        ...node,
        left: rewritten(node.left),
        right: rewritten(node.right),
        condition: scalar(node.condition),
      };
    case 'Ternary':
      return ternary(scalar(node.condition), rewritten(node.trueExpr), rewritten(node.falseExpr));
    case 'OrExpression':
      return whether(node.left, (left) => [left, rewritten(node.right)]);
    case 'AndExpression':
      return whether(node.left, (left) => [rewritten(node.right), left]);
    case 'Function':
      return rewrittenCall(node);
    default:
      return withRewrittenParts(node);
  }
}

/** Decides by a value that may be what comes of it, too; it is made out once. */
function whether(
  value: Expression,
  outcomes: (value: Expression) => readonly [Expression, Expression],
): Expression {
  const variable = `${own}value`;
  const named: Expression = { type: 'Variable', name: variable };
  const [whenTrue, whenFalse] = outcomes(named);
  return {
    type: 'LetExpression',
    bindings: [{ type: 'Binding', variable, reference: rewritten(value) }],
    expression: ternary(scalar(named), whenTrue, whenFalse),
  };
}

function ternary(condition: Expression, trueExpr: Expression, falseExpr: Expression): Expression {
  return { type: 'Ternary', condition, trueExpr, falseExpr };
}

function rewrittenCall(node: Extract<Expression, { type: 'Function' }>): Expression {
  const { name, children } = node;
  if (functions.has(`${own}${name}`)) {
    return { ...node, name: `${own}${name}`, children: children.map(rewritten) };
  }
  if (handingOn.has(name)) return { ...node, children: children.map(rewritten) };
  const value = choosing.has(name) ? scalar : doubles;
  return {
    ...node,
    children: children.map((child) => {
      if (child.type !== 'ExpressionReference') return value(child);
      return { ...child, child: name === 'map' ? rewritten(child.child) : scalar(child.child) };
    }),
  };
}

function withRewrittenParts(node: Expression): Expression {
  switch (node.type) {
    case 'Flatten':
    case 'ExpressionReference':
      return { ...node, child: rewritten(node.child) };
    case 'IndexExpression':
    case 'Pipe':
    case 'Projection':
    case 'Subexpression':
    case 'ValueProjection':
      return { ...node, left: rewritten(node.left), right: rewritten(node.right) };
    case 'MultiSelectList':
      return { ...node, children: node.children.map(rewritten) };
    case 'MultiSelectHash':
      return { ...node, children: node.children.map((pair) => ({ ...pair, value: rewritten(pair.value) })) };
    case 'LetExpression':
      return {
        ...node,
        bindings: node.bindings.map((binding) => ({ ...binding, reference: rewritten(binding.reference) })),
        expression: rewritten(node.expression),
      };
    default:
      return node;
  }
}
