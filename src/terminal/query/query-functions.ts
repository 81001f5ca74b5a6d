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
