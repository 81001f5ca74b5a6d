import { toCamelCase } from '../../text/field-case.js';
import type { DeclaredResource } from '../resources/index.js';
import { isResource, type Resource } from '../resources/resource.js';
import type { Dialect } from './dialect.js';

/** Renames a resource's own fields both ways; leaves their values as they are. */
export interface FieldNames {
  readonly theirs: ReadonlyMap<string, string>;
  toTheirs(resource: Resource): Resource;
  toOwn(body: unknown): unknown;
}

export function readFieldNames(
  resource: DeclaredResource,
  { case: letters, names }: Pick<Dialect['item'], 'case' | 'names'>,
): FieldNames {
  const made = 'created' in resource ? resource.created() : resource.answer();
  const own = Object.keys(made.shape);
  const chosen = new Map(Object.entries(names));
  const theirs = new Map(
    own.map((name) => [name, chosen.get(name) ?? (letters === 'camel' ? toCamelCase(name) : name)]),
  );
  const owned = new Map([...theirs].map(([name, theirName]) => [theirName, name]));
  return {
    theirs,
    toTheirs: (value) => renameFields(value, (name) => theirs.get(name) ?? name),
    toOwn: (body) =>
      isResource(body)
        ? renameFields(body, (name) => owned.get(name) ?? (theirs.has(name) ? undefined : name))
        : body,
  };
}

function renameFields(value: Resource, rename: (name: string) => string | undefined): Resource {
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, field]) => {
      const renamed = rename(name);
      return renamed === undefined ? [] : [[renamed, field]];
    }),
  );
}
