import { createHash } from 'node:crypto';
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

/** Converts a list of connections to an organization file. */
export function toOrganizationForm(value: unknown): FormedValue {
  if (!isConnectionList(value)) return { value, toSource: (path) => path };
  return { value: { version: 1, [connections.kind]: value }, toSource: ([, ...rest]) => rest };
}

export interface FormedSeed extends FormedValue {
  /** IDs in the file that the store cannot have: it generates others. */
  readonly droppedIds: readonly string[];
}

/** Converts an organization file or a list of connections to a seed. @param name the organization's name */
export function toSeedForm(value: unknown, name: string): FormedSeed {
  const droppedIds: string[] = [];
  if (isConnectionList(value)) {
    const organization = { name, [connections.kind]: value.map(withoutIdentity) };
    return { droppedIds, value: { organizations: [organization] }, toSource: ([, , , ...rest]) => rest };
  }
  if (!isResource(value) || !Object.hasOwn(value, 'version'))
    return { value, toSource: (path) => path, droppedIds };
  const { $schema: _, version: __, [apiKeys.kind]: keys, ...others } = value;
  const lists = Object.entries(others).map(
    ([field, list]) => [field, mapEntries(list, (entry) => toSeedEntry(entry, field, droppedIds))] as const,
  );
  const seeded = keys === undefined ? {} : { keys: toSeedKeys(keys, droppedIds) };
  return {
    droppedIds,
    value: { organizations: [{ name, ...Object.fromEntries(lists), ...seeded }] },
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

/** Drops the ID, which belongs to another organization: the name identifies the entry. */
function withoutIdentity({ id: _, renamed_from: __, ...entry }: Resource): Resource {
  return entry;
}

/** Keeps the ID that pins the entry, unless the store cannot have it. */
function toSeedEntry(entry: Resource, kind: string, droppedIds: string[]): Resource {
  const { id } = entry;
  const others = withoutIdentity(entry);
  const resource = resources.find((one) => one.kind === kind);
  if (typeof id !== 'string' || resource === undefined) return others;
  if (identifierSchema(resource.idPrefix).safeParse(id).success) return { id, ...others };
  droppedIds.push(id);
  return others;
}

/** Derives IDs that are not pinned from the names, so that a key has the same ID each time the seed is loaded. */
function toSeedKeys(list: unknown, droppedIds: string[]): unknown {
  const earlier: string[] = [];
  return mapEntries(list, ({ secret_to: _, ...entry }) => {
    const name = String(entry['name']);
    // Several keys may have the same name.
    const count = earlier.push(name) && earlier.filter((one) => one === name).length;
    const hash = createHash('sha256').update(count === 1 ? name : `${name}\n${count}`);
    const id = `${apiKeys.idPrefix}_${hash.digest('hex').slice(0, 24)}`;
    return { id, ...toSeedEntry(entry, apiKeys.kind, droppedIds) };
  });
}
