import { type Dialect, type DialectInput, dialectSchema } from '../../api/dialect/dialect.js';
import { readFieldNames } from '../../api/dialect/field-names.js';
import { presets } from '../../api/dialect/presets.js';
import { resources } from '../../api/resources/index.js';
import { type Problem, z } from '../../api/schema/schema.js';
import { isServiceTarget } from '../http/url-space.js';

export const presetOf: ReadonlyMap<string, DialectInput> = new Map(Object.entries(presets));

export function checkDialect(
  input: unknown,
): { readonly dialect: Dialect } | { readonly problems: readonly Problem[] } {
  const { data, error } = z.safeParse(dialectSchema, input);
  if (error !== undefined) return { problems: error.issues };
  const problems = findUnservable(data);
  return problems.length === 0 ? { dialect: data } : { problems };
}

/** Fields that another service may have, but this server does not: certain paths, and names of other fields. */
function findUnservable({ basePath, item, kinds }: Dialect): Problem[] {
  const isPath = isServiceTarget(basePath) && !/\/\.{1,2}(?:\/|$)/.test(basePath);
  const message = "must not contain . or .. segments, or be one of the server's own paths";
  return [
    ...(isPath ? [] : [{ path: ['basePath'], message }]),
    ...findUnknownNames(item, ['item']),
    ...resources.flatMap(({ kind }) => {
      const own = kinds[kind]?.item;
      return own === undefined ? [] : findUnknownNames(own, ['kinds', kind, 'item']);
    }),
  ];
}

function findUnknownNames(item: Dialect['item'], place: readonly string[]): Problem[] {
  const known = resources.flatMap((resource) => [...readFieldNames(resource, item).theirs.keys()]);
  return Object.keys(item.names)
    .filter((name) => !known.includes(name))
    .map((name) => ({ path: [...place, 'names', name], message: 'no resource has this field' }));
}
