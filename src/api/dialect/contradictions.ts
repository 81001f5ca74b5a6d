import { resources } from '../resources/index.js';
import type { Dialect } from './dialect.js';
import { readFieldNames } from './field-names.js';

export interface DialectProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type Conflict = readonly [place: string, message: string];

/** Fields that are valid separately but conflict: no service, embedded or not, can be like that. */
export function findContradictions({ list, item, kinds }: Dialect): DialectProblem[] {
  const known: readonly string[] = resources.map(({ kind }) => kind);
  const own = Object.entries(kinds).flatMap(([kind, { list: ownList, item: ownItem }]) => [
    ...(known.includes(kind)
      ? []
      : [[`kinds.${kind}`, `unknown kind; the service has ${known.join(', ')}`] as const]),
    ...(ownList ? conflictsInList(ownList, `kinds.${kind}.list`) : []),
    ...(ownItem ? conflictsInNames(ownItem, `kinds.${kind}.item`, [kind]) : []),
  ]);
  const all = [...conflictsInList(list, 'list'), ...conflictsInNames(item, 'item', known), ...own];
  return all.map(([place, message]) => ({ path: place.split('.'), message }));
}

function conflictsInList(list: Dialect['list'], place: string): Conflict[] {
  const { items, meta, paging, parameters, fields, limit } = list;
  const isInBody = paging === 'cursor' || paging === 'next';
  const names = items === null ? [] : [...Object.values(fields), ...(meta === null ? [items] : [])];
  const conflicts: readonly (readonly [boolean, string, string])[] = [
    [limit.default > limit.max, 'limit.default', 'is more than max'],
    [paging !== 'none' && parameters.page === null, 'parameters.page', 'is needed to request a page'],
    [isInBody && items === null, 'paging', `${paging} needs a body with fields, but items is null`],
    [isInBody && fields.next === null, 'fields.next', 'is needed to find the next page'],
    ...findDuplicates(Object.values(parameters)).map(
      (name) => [true, 'parameters', `two parameters have the name ${name}`] as const,
    ),
    ...findDuplicates(meta === items ? [...names, meta, items] : names).map(
      (name) => [true, 'fields', `two fields have the name ${name}`] as const,
    ),
  ];
  return conflicts.flatMap(([isSo, field, message]) => (isSo ? [[`${place}.${field}`, message]] : []));
}

function conflictsInNames(item: Dialect['item'], place: string, kinds: readonly string[]): Conflict[] {
  const duplicates = resources
    .filter(({ kind }) => kinds.includes(kind))
    .flatMap((resource) => findDuplicates([...readFieldNames(resource, item).theirs.values()]));
  return [...new Set(duplicates)].map((name) => [`${place}.names`, `two fields have the name ${name}`]);
}

function findDuplicates(names: readonly (string | null)[]): string[] {
  const given = names.filter((name) => name !== null);
  return [...new Set(given.filter((name, at) => given.indexOf(name) !== at))];
}
