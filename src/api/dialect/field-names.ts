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
  const spell = (name: string) =>
    Object.hasOwn(names, name) ? names[name] : letters === 'camel' ? toCamelCase(name) : name;
  const theirs = new Map(Object.keys(made.shape).map((name) => [name, spell(name) ?? name]));
  const owned = new Map([...theirs].map(([name, theirName]) => [theirName, name]));
  const rename = (value: Resource, toName: (name: string) => string): Resource =>
    Object.fromEntries(Object.entries(value).map(([name, field]) => [toName(name), field]));
  const toOwn = (body: Resource) => {
    const known = Object.entries(body).filter(([name]) => owned.has(name) || !theirs.has(name));
    return rename(Object.fromEntries(known), (name) => owned.get(name) ?? name);
  };
  return {
    theirs,
    toTheirs: (value) => rename(value, (name) => theirs.get(name) ?? name),
    toOwn: (body) => (isResource(body) ? toOwn(body) : body),
  };
}
