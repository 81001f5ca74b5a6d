import type { JSONValue } from '@jmespath-community/jmespath';

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
export function replaceFunctions({ register, TreeInterpreter, TYPE_ARRAY, TYPE_EXPREF }: Library): void {
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

/** The first of several equal values is the largest and the smallest. */
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
  const list = Array.isArray(values) ? values : [];
  const keyed = list.map((value) => ({ value, key: readKey(value) })).filter(hasKey);
  if (keyed.length === list.length && new Set(keyed.map(({ key }) => typeof key)).size < 2) return keyed;
  throw new Error(`${name}() takes only numbers, or only text`);
}

function hasKey(one: { readonly value: JSONValue; readonly key: unknown }): one is Keyed {
  return typeof one.key === 'string' || typeof one.key === 'number';
}

function compareKeys({ key: one }: Keyed, { key: other }: Keyed): number {
  return one < other ? -1 : one > other ? 1 : 0;
}

function isExpression(argument: Argument | undefined): argument is Expression {
  return typeof argument === 'object' && argument !== null && 'expref' in argument;
}
