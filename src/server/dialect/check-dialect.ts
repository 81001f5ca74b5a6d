import { type Dialect, type DialectInput, dialectSchema } from '../../api/dialect/dialect.js';
import type { PresetName } from '../../api/dialect/dialect-input.js';
import { presets } from '../../api/dialect/presets.js';
import { type DeclaredResource, resources } from '../../api/resources/index.js';
import { z } from '../../api/schema/schema.js';
import { isServiceTarget } from '../http/url-space.js';
import { readFieldNames } from './field-names.js';

export const presetOf: ReadonlyMap<string, DialectInput> = new Map(Object.entries(presets));

export function isPreset(name: string): name is PresetName {
  return presetOf.has(name);
}

export interface DialectProblem {
  readonly path: readonly PropertyKey[];
  readonly message: string;
}

export function checkDialect(
  input: unknown,
): { readonly dialect: Dialect } | { readonly problems: readonly DialectProblem[] } {
  const { data, error } = z.safeParse(dialectSchema, input);
  if (error === undefined) {
    const conflicts = conflictsIn(data).map(([place, message]) => ({ path: place.split('.'), message }));
    return conflicts.length === 0 ? { dialect: data } : { problems: conflicts };
  }
  return { problems: error.issues };
}

type Conflict = readonly [place: string, message: string];

/** Problems that the schema cannot find, mainly fields that are valid separately but conflict. */
function conflictsIn(dialect: Dialect): Conflict[] {
  const kinds = new Set<string>(resources.map(({ kind }) => kind));
  const unknown = Object.keys(dialect.kinds).filter((kind) => !kinds.has(kind));
  const { basePath } = dialect;
  const isPath = isServiceTarget(basePath) && !/\/\.{1,2}(?:\/|$)/.test(basePath);
  return [
    ...(isPath
      ? []
      : [['basePath', "must not contain . or .. segments, or be one of the server's own paths"] as const]),
    ...unknown.map(
      (kind): Conflict => [`kinds.${kind}`, `unknown kind; the service has ${[...kinds].join(', ')}`],
    ),
    ...conflictsInList(dialect.list, 'list'),
    ...conflictsInItem(dialect.item, 'item', resources),
    ...resources.flatMap((resource) => {
      const { list, item } = dialect.kinds[resource.kind] ?? {};
      return [
        ...(list ? conflictsInList(list, `kinds.${resource.kind}.list`) : []),
        ...(item ? conflictsInItem(item, `kinds.${resource.kind}.item`, [resource]) : []),
      ];
    }),
  ];
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

function conflictsInItem(item: Dialect['item'], place: string, of: readonly DeclaredResource[]): Conflict[] {
  const known = resources.flatMap((resource) => [...readFieldNames(resource, item).theirs.keys()]);
  const unknown = Object.keys(item.names).filter((name) => !known.includes(name));
  const duplicates = of.flatMap((resource) =>
    findDuplicates([...readFieldNames(resource, item).theirs.values()]),
  );
  return [
    ...unknown.map((name): Conflict => [`${place}.names.${name}`, 'no resource has this field']),
    ...[...new Set(duplicates)].map(
      (name): Conflict => [`${place}.names`, `two fields have the name ${name}`],
    ),
  ];
}

function findDuplicates(names: readonly (string | null)[]): string[] {
  const given = names.filter((name) => name !== null);
  return [...new Set(given.filter((name, at) => given.indexOf(name) !== at))];
}
