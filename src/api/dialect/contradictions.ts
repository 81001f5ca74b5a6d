import { type DeclaredResource, resources } from '../resources/index.js';
import type { Dialect } from './dialect.js';
import { readFieldNames } from './field-names.js';

export interface DialectProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

type Conflict = readonly [place: string, message: string];

/** Fields that are valid separately but conflict: no service, embedded or not, can be like that. */
export function findContradictions({ list, item, kinds }: Dialect): DialectProblem[] {
  const known = new Set<string>(resources.map(({ kind }) => kind));
  const unknown = Object.keys(kinds).filter((kind) => !known.has(kind));
  const conflicts = [
    ...unknown.map(
      (kind): Conflict => [`kinds.${kind}`, `unknown kind; the service has ${[...known].join(', ')}`],
    ),
    ...conflictsInList(list, 'list'),
    ...conflictsInNames(item, 'item', resources),
    ...resources.flatMap((resource) => {
      const { list: ownList, item: ownItem } = kinds[resource.kind] ?? {};
      const place = `kinds.${resource.kind}`;
      return [
        ...(ownList ? conflictsInList(ownList, `${place}.list`) : []),
        ...(ownItem ? conflictsInNames(ownItem, `${place}.item`, [resource]) : []),
      ];
    }),
  ];
  return conflicts.map(([place, message]) => ({ path: place.split('.'), message }));
}

function conflictsInList(list: Dialect['list'], place: string): Conflict[] {
  const { items, meta, paging, parameters, fields, limit } = list;
  const problems: Conflict[] = [];
  if (limit.default > limit.max) problems.push([`${place}.limit.default`, 'is more than max']);
  if (paging !== 'none' && parameters.page === null) {
    problems.push([`${place}.parameters.page`, 'is needed to request a page']);
  }
  if (parameters.page !== null && parameters.page === parameters.limit) {
    problems.push([`${place}.parameters`, `two parameters have the name ${parameters.page}`]);
  }
  if (paging === 'cursor' || paging === 'next') {
    if (items === null) {
      const bare = `${paging} needs a body with fields, but items: null makes the body a bare array`;
      problems.push([`${place}.paging`, bare]);
    } else if (fields.next === null) {
      problems.push([`${place}.fields.next`, 'is needed to find the next page']);
    }
  }
  const inBody = items === null ? [] : [...Object.values(fields), ...(meta === null ? [items] : [])];
  if (meta !== null && meta === items) inBody.push(meta, items);
  problems.push(
    ...findDuplicates(inBody).map(
      (name): Conflict => [`${place}.fields`, `two fields have the name ${name}`],
    ),
  );
  return problems;
}

function conflictsInNames(item: Dialect['item'], place: string, of: readonly DeclaredResource[]): Conflict[] {
  const duplicates = of.flatMap((resource) =>
    findDuplicates([...readFieldNames(resource, item).theirs.values()]),
  );
  return [...new Set(duplicates)].map(
    (name): Conflict => [`${place}.names`, `two fields have the name ${name}`],
  );
}

function findDuplicates(names: readonly (string | null)[]): string[] {
  const given = names.filter((name) => name !== null);
  return [...new Set(given.filter((name, at) => given.indexOf(name) !== at))];
}
