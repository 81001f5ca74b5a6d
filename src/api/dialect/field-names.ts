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
  const chosen = new Map(Object.entries(names));
  const spell = (name: string) => chosen.get(name) ?? (letters === 'camel' ? toCamelCase(name) : name);
  const theirs = new Map(Object.keys(made.shape).map((name) => [name, spell(name)]));
  const owned = new Map([...theirs].map(([name, theirName]) => [theirName, name]));
  const rename = (value: Resource, toName: (name: string) => string | undefined): Resource =>
    Object.fromEntries(
      Object.entries(value).flatMap(([name, field]) => {
        const renamed = toName(name);
        return renamed === undefined ? [] : [[renamed, field]];
      }),
    );
  const toOwnName = (name: string) => owned.get(name) ?? (theirs.has(name) ? undefined : name);
  return {
    theirs,
    toTheirs: (value) => rename(value, (name) => theirs.get(name) ?? name),
    toOwn: (body) => (isResource(body) ? rename(body, toOwnName) : body),
  };
}
