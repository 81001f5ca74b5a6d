import { createHash } from 'node:crypto';
import { apiKeys } from '../../api/resources/api-key.js';
import { connections } from '../../api/resources/connection.js';
import { resources } from '../../api/resources/index.js';
import { isResource, type Resource } from '../../api/resources/resource.js';

type Path = readonly PropertyKey[];

export interface FormedValue {
  readonly value: unknown;
  readonly toSource: (path: Path) => Path;
}

/** Converts a list of connections, or a seed with one organization (except its keys), to an organization's file. */
export function toOrganizationForm(value: unknown): FormedValue {
  if (isConnectionList(value)) {
    return { value: { version: 1, [connections.kind]: value }, toSource: ([, ...rest]) => rest };
  }
  const seeded = onlyOrganization(value);
  if (seeded === undefined) return { value, toSource: (path) => path };
  const lists = resources.flatMap(({ kind }) => {
    const list = kind === apiKeys.kind ? undefined : seeded[kind];
    return list === undefined ? [] : [[kind, mapEntries(list, withoutIdentity)] as const];
  });
  return {
    value: { version: 1, ...Object.fromEntries(lists) },
    toSource: (path) => ['organizations', 0, ...path],
  };
}

/** Converts an organization's file or a list of connections to a seed. @param name the organization's name */
export function toSeedForm(value: unknown, name: string): FormedValue {
  if (isConnectionList(value)) {
    return {
      value: { organizations: [{ name, [connections.kind]: value.map(withoutIdentity) }] },
      toSource: ([, , , ...rest]) => rest,
    };
  }
  if (!isResource(value) || !Object.hasOwn(value, 'version')) return { value, toSource: (path) => path };
  const { $schema: _, version: __, [apiKeys.kind]: keys, ...others } = value;
  const lists = Object.entries(others).map(
    ([field, list]) => [field, mapEntries(list, withoutIdentity)] as const,
  );
  const organization = {
    name,
    ...Object.fromEntries(lists),
    ...(keys === undefined ? {} : { keys: mapEntries(keys, toSeedKey) }),
  };
  return {
    value: { organizations: [organization] },
    toSource: ([, , kind, ...rest]) =>
      kind === undefined ? [] : [kind === 'keys' ? apiKeys.kind : kind, ...rest],
  };
}

/** The entries of a kind in an organization's file or a seed; `undefined` for any other form. */
export function findEntries(
  value: unknown,
  kind: string,
): { readonly entries: unknown; readonly path: Path } | undefined {
  if (!isResource(value) || Object.hasOwn(value, 'name')) return undefined;
  const seeded = onlyOrganization(value);
  if (seeded !== undefined) return { entries: seeded[kind], path: ['organizations', 0, kind] };
  const isFile = Object.hasOwn(value, 'version') || Array.isArray(value[kind]);
  return isFile ? { entries: value[kind], path: [kind] } : undefined;
}

function onlyOrganization(value: unknown): Resource | undefined {
  if (!isResource(value) || !Array.isArray(value['organizations'])) return undefined;
  const [only, ...others]: unknown[] = value['organizations'];
  return others.length === 0 && isResource(only) ? only : undefined;
}

function isConnectionList(value: unknown): value is readonly Resource[] {
  return (
    Array.isArray(value) &&
    value.length > 0 &&
    value.every((entry) => isResource(entry) && isResource(entry['config']))
  );
}

function mapEntries(list: unknown, change: (entry: Resource) => Resource): unknown {
  return Array.isArray(list) ? list.map((entry) => (isResource(entry) ? change(entry) : entry)) : list;
}

/** Drops the ID, which belongs to another organization: the name identifies the entry. */
function withoutIdentity({ id: _, renamed_from: __, ...entry }: Resource): Resource {
  return entry;
}

/** Derives the ID from the name, so that a key has the same ID each time the seed is loaded. */
function toSeedKey({ secret_to: _, ...entry }: Resource): Resource {
  const hash = createHash('sha256').update(String(entry['name'])).digest('hex');
  return { ...withoutIdentity(entry), id: `${apiKeys.idPrefix}_${hash.slice(0, 24)}` };
}
