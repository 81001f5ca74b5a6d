import { randomUUID } from 'node:crypto';
import { identifierSchema } from '../../api/control/chosen-values.js';
import { apiKeys } from '../../api/resources/api-key.js';
import { connections } from '../../api/resources/connection.js';
import { resources } from '../../api/resources/index.js';
import { isResource, type Resource } from '../../api/resources/resource.js';

type Path = readonly PropertyKey[];

export interface FormedValue {
  readonly value: unknown;
  readonly toSource: (path: Path) => Path;
}

export function toOrganizationForm(value: unknown): FormedValue {
  if (!isConnectionList(value)) return { value, toSource: (path) => path };
  return { value: { version: 1, [connections.kind]: value }, toSource: ([, ...rest]) => rest };
}

/** An organization file or a list of connections as a seed. @param name the organization's name */
export function toSeedForm(value: unknown, name: string): FormedValue {
  if (isConnectionList(value)) {
    const organization = {
      name,
      [connections.kind]: value.map((entry) => toSeedEntry(entry, connections.kind)),
    };
    return { value: { organizations: [organization] }, toSource: ([, , , ...rest]) => rest };
  }
  if (!isResource(value) || !Object.hasOwn(value, 'version')) return { value, toSource: (path) => path };
  const { $schema: _, version: __, ...lists } = value;
  const seeded = Object.entries(lists).map(([kind, list]) =>
    kind === apiKeys.kind
      ? ['keys', mapEntries(list, toSeedKey)]
      : [kind, mapEntries(list, (entry) => toSeedEntry(entry, kind))],
  );
  return {
    value: { organizations: [{ name, ...Object.fromEntries(seeded) }] },
    toSource: ([, , kind, ...rest]) =>
      kind === undefined ? [] : [kind === 'keys' ? apiKeys.kind : kind, ...rest],
  };
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

/** Keeps the ID that pins the entry, unless the store cannot have it: then the name alone identifies the entry. */
function toSeedEntry({ id, renamed_from: _, ...entry }: Resource, kind: string): Resource {
  const resource = resources.find((one) => one.kind === kind);
  const isUsable = resource !== undefined && identifierSchema(resource.idPrefix).safeParse(id).success;
  return isUsable ? { id, ...entry } : entry;
}

/** The ID of a key that is not pinned is a new one, as its secret is. */
function toSeedKey({ secret_to: _, ...entry }: Resource): Resource {
  return { id: `${apiKeys.idPrefix}_${randomUUID()}`, ...toSeedEntry(entry, apiKeys.kind) };
}
