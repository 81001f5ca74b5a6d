import type { JSONValue } from '@jmespath-community/jmespath';

type Library = Pick<
  typeof import('@jmespath-community/jmespath'),
  'register' | 'TreeInterpreter' | 'TYPE_ANY' | 'TYPE_ARRAY' | 'TYPE_EXPREF' | 'TYPE_OBJECT'
>;
type Expression = Parameters<Library['TreeInterpreter']['visit']>[0];
type Argument = JSONValue | Expression;

/**
 * Replaces the package's functions that order values, read numbers, or make objects, for example because `max_by()`
 * compares text with infinity, `sort()` orders numbers as text, `max()` orders text by the machine's locale, and
 * `group_by()` and `merge()` take the keys `constructor` and `__proto__` for the prototype's.
 */
export function replaceFunctions(library: Library): void {
  const { register, TreeInterpreter, TYPE_ANY, TYPE_ARRAY, TYPE_EXPREF, TYPE_OBJECT } = library;
  const list = { types: [TYPE_ARRAY] };
  const byKey = [list, { types: [TYPE_EXPREF] }];
  const apply = (key: Argument | undefined, value: JSONValue) =>
    isExpression(key) ? TreeInterpreter.visit(key, value) : null;
  for (const [name, pick] of Object.entries(picks)) {
    register<string>(name, ([values]) => pick(sortByKey(name, values, (value) => value)), [list], overriding);
    const byName = `${name}_by`;
    const sortBy = ([values, key]: Argument[]) =>
      pick(sortByKey(byName, values, (value) => apply(key, value)));
    register<string>(byName, sortBy, byKey, overriding);
  }
  const groupBy = ([values, key]: Argument[]) => groupByKey(values, (value) => apply(key, value));
  register<string>('group_by', groupBy, byKey, overriding);
  register<string>('merge', mergeObjects, [{ types: [TYPE_OBJECT], variadic: true }], overriding);
  register<string>('to_number', ([value]) => toNumber(value), [{ types: [TYPE_ANY] }], overriding);
}

const overriding = { override: true };

/** The first of several equal values is the largest and the smallest. */
const picks: Readonly<Record<string, (sorted: readonly Keyed[]) => JSONValue>> = {
  sort: (sorted) => sorted.map(({ value }) => value),
  min: ([smallest]) => smallest?.value ?? null,
  max: (sorted) => {
    const last = sorted.at(-1);
    return sorted.find((one) => last !== undefined && compareKeys(one, last) === 0)?.value ?? null;
  },
};

interface Keyed {
  readonly value: JSONValue;
  readonly key: string | number;
}

/** @throws Error unless the keys are all numbers or all text */
function sortByKey(
  name: string,
  values: Argument | undefined,
  readKey: (value: JSONValue) => Argument,
): Keyed[] {
  const keyed = (Array.isArray(values) ? values : []).map((value) => {
    const key = readKey(value);
    if (typeof key === 'string' || typeof key === 'number') return { value, key };
    throw new Error(
      `${name}() orders only numbers or text; one value is ${key === null ? null : typeof key}`,
    );
  });
  if (new Set(keyed.map(({ key }) => typeof key)).size > 1)
    throw new Error(`${name}() cannot order numbers and text together`);
  return keyed.sort(compareKeys);
}

/** @throws Error unless the keys are all text */
function groupByKey(values: Argument | undefined, readKey: (value: JSONValue) => Argument): JSONValue {
  const groups = new Map<string, JSONValue[]>();
  for (const value of Array.isArray(values) ? values : []) {
    const key = readKey(value);
    if (typeof key !== 'string')
      throw new Error(`group_by() groups only by text; one value is ${key === null ? null : typeof key}`);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [value]);
    else group.push(value);
  }
  return Object.fromEntries(groups);
}

function mergeObjects(objects: readonly Argument[]): JSONValue {
  return Object.fromEntries(objects.flatMap((one) => Object.entries(one ?? {})));
}

/** Text is ordered by code points, as its UTF-8 is by bytes. */
function compareKeys({ key: one }: Keyed, { key: other }: Keyed): number {
  if (typeof one === 'number') return one === other ? 0 : one < Number(other) ? -1 : 1;
  return Buffer.compare(Buffer.from(one), Buffer.from(String(other)));
}

function isExpression(argument: Argument | undefined): argument is Expression {
  return typeof argument === 'object' && argument !== null && 'expref' in argument;
}

/** Only text that is a JSON number is one: `Number` reads more, for example empty text as 0. */
function toNumber(value: Argument | undefined): number | null {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(value)
    ? Number(value)
    : null;
}
