import type { Dialect } from '../../api/dialect/dialect.js';
import type { DialectItem } from '../../api/dialect/dialect-input.js';
import { ownName } from '../../api/dialect/dialect-names.js';
import { isResource, type Resource, readId } from '../../api/resources/resource.js';
import { ExactNumber } from '../../text/exact-number.js';
import { pickField, type ResourceNames, spellNames } from '../reading/fields.js';
import { knownForms } from '../reading/forms.js';
import { withId } from '../reading/read-single.js';
import { type ObservedCall, readCallValue, splitTarget } from './observed-call.js';
import type { ServicePlace } from './seen-page.js';

export type FieldTypes = Readonly<Record<string, string>>;

/** Maximum fields to describe; an object keyed by IDs may have more. */
const maxFields = 64;
const maxRows = 100;

export function findFieldTypes(rows: readonly Resource[]): FieldTypes {
  const types = new Map<string, Set<string>>();
  for (const row of rows.slice(0, maxRows)) {
    for (const [name, value] of Object.entries(row)) {
      const known = types.get(name);
      if (known !== undefined) known.add(nameType(value));
      else if (types.size < maxFields && name.length <= 64) types.set(name, new Set([nameType(value)]));
    }
  }
  return Object.fromEntries([...types].map(([name, all]) => [name, [...all].sort().join(' or ')]));
}

function nameType(value: unknown): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'list';
  if (value instanceof ExactNumber) return 'number';
  return typeof value === 'string' ? 'text' : typeof value;
}

const otherNames: Readonly<Record<string, readonly string[]>> = {
  name: ['title', 'label', 'display_name', 'displayName'],
  created_at: ['created', 'created_on', 'createdOn'],
  updated_at: ['updated', 'updated_on', 'updatedOn', 'modified_at', 'modifiedAt'],
  last_used_at: ['last_used', 'lastUsed', 'last_used_on', 'lastUsedOn'],
  enabled: ['active', 'is_enabled', 'isEnabled', 'is_active', 'isActive'],
};

/** The form of resources, from the rows of a list and responses with a single resource. */
export function findItem(
  rows: readonly Resource[],
  singles: readonly unknown[],
  resource: ResourceNames,
  expected: Dialect['item'] | undefined,
): DialectItem {
  const [single] = singles;
  const place = single === undefined ? undefined : findPlace(single, resource, expected);
  const names = new Set(rows.flatMap((row) => Object.keys(row)));
  const letters = findCase(names);
  const ids = findIds(rows, resource);
  return {
    ...(place !== undefined && { in: place }),
    ...(ids !== undefined && { ids }),
    ...(letters !== undefined && { case: letters }),
    ...(rows.length > 0 && { names: findNames(rows, names, resource, expected) }),
  };
}

export function listSingles(
  calls: readonly ObservedCall[],
  kind: string,
  { basePath }: ServicePlace,
): unknown[] {
  return calls.flatMap((call) => {
    const path = splitTarget(call, basePath)?.path ?? '';
    const isSingle = call.request.method === 'GET' && path.startsWith(`/${kind}/`);
    return (isSingle ? readCallValue(call) : undefined) ?? [];
  });
}

/** The field that holds the resource; `null` for the body itself. Tries known names only: others may be private. */
function findPlace(
  value: unknown,
  resource: ResourceNames,
  expected: Dialect['item'] | undefined,
): string | null | undefined {
  const isOne = (one: unknown) =>
    isResource(one) && readId(withId(one, resource, knownForms.item)) !== undefined;
  const isAt = (name: string | null) =>
    name === null
      ? isOne(value)
      : spellNames([name], resource, true).some((one) => isOne(pickField(value, one)));
  return [...(expected === undefined ? [] : [expected.in]), ...knownForms.item.in].find(isAt);
}

/** The type of IDs; `undefined` for API keys: their IDs are used for signing, and are text in every dialect. */
function findIds(rows: readonly Resource[], resource: ResourceNames): DialectItem['ids'] {
  const [first] = rows;
  if (first === undefined || resource.kind === 'api-keys') return undefined;
  const { id } = withId(first, resource, knownForms.item);
  if (id === undefined) return undefined;
  return typeof id === 'string' ? 'text' : 'number';
}

function findCase(names: ReadonlySet<string>): DialectItem['case'] {
  const own = ['created_at', 'updated_at', 'last_used_at'];
  if (own.some((name) => names.has(name))) return 'snake';
  return own.some((name) => names.has(toCamel(name))) ? 'camel' : undefined;
}

function toCamel(name: string): string {
  return name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
}

/** The service's names for fields of the API reference; the expected dialect's names take precedence. */
function findNames(
  rows: readonly Resource[],
  names: ReadonlySet<string>,
  resource: ResourceNames,
  expected: Dialect['item'] | undefined,
): Readonly<Record<string, string>> {
  const wanted = Object.entries(expected?.names ?? {}).filter(([, theirs]) => names.has(theirs));
  const found = Object.entries(otherNames).flatMap(([own, others]): [string, string][] => {
    if (names.has(own)) return [[own, own]];
    if (names.has(toCamel(own))) return [[own, toCamel(own)]];
    const [other, ...more] = others.filter((one) => names.has(one));
    return other === undefined || more.length > 0 ? [] : [[own, other]];
  });
  return Object.fromEntries([...found, ...findIdName(rows, resource), ...wanted]);
}

function findIdName([first]: readonly Resource[], resource: ResourceNames): [string, string][] {
  if (first === undefined) return [];
  if (readId(first) !== undefined) return [['id', 'id']];
  const { id } = withId(first, resource, knownForms.item);
  const name = spellNames(knownForms.item.ids, resource, true).find(
    (one) => id !== undefined && first[one] === id,
  );
  return name === undefined ? [] : [['id', name]];
}

/** The field that holds a list or a single resource; `{kind}` if it is named after the kind. */
export function nameHolder(holder: string | null, resource: ResourceNames, isSingle: boolean): string | null {
  return holder !== null && spellNames([ownName], resource, isSingle).includes(holder) ? ownName : holder;
}
