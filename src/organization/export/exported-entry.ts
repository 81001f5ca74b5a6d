import { isHarmlessSetting } from '../../api/resources/connection.js';
import {
  type DeclaredResource,
  isPlainResource,
  type PlainResource,
  type ResourceKind,
} from '../../api/resources/index.js';
import type { IdentifiedResource, Resource } from '../../api/resources/resource.js';
import { isHarmless } from '../../redaction/redact.js';
import {
  kindsOfFile,
  type OrganizationEntry,
  organizationVersion,
} from '../declaration/organization-file.js';
import { groupedByName, hasName } from '../read/existing-resources.js';
import { exportedSettings } from './exported-settings.js';
import { nameVariable } from './secret-variable.js';

export interface ExportedEntry {
  readonly kind: ResourceKind;
  readonly entry: OrganizationEntry;
  readonly replaced: readonly string[];
  readonly leftOut: readonly string[];
}

export function exportEntries(
  resource: DeclaredResource,
  all: readonly IdentifiedResource[],
): readonly ExportedEntry[] {
  const named = all.filter(hasName);
  const namesakes = groupedByName(named);
  return named.toSorted(compareNames).map((one) => {
    // A shared name does not identify a resource.
    const isOneOfSeveral = (namesakes.get(one.name)?.length ?? 0) > 1;
    const identity = { name: one.name, ...(isOneOfSeveral ? { id: one.id } : {}) };
    return { kind: resource.kind, replaced: [], leftOut: [], ...makeEntry(resource, one, identity) };
  });
}

/** Compares by UTF-16 code units, so that the order is the same on every machine; equal names by ID. */
function compareNames(one: IdentifiedResource, other: IdentifiedResource): number {
  return compareText(String(one['name']), String(other['name'])) || compareText(one.id, other.id);
}

function compareText(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

type EntryIdentity = Pick<OrganizationEntry, 'name' | 'id'>;
type Made = Pick<ExportedEntry, 'entry'> & Partial<ExportedEntry>;

const ownEntryMakers: Readonly<
  Record<
    Exclude<DeclaredResource, PlainResource>['kind'],
    (resource: Resource, identity: EntryIdentity) => Made
  >
> = {
  connections: exportConnection,
  // Only `false` is exported: new keys are enabled, and no file can enable a disabled one.
  'api-keys': ({ enabled }, identity) => ({
    entry: { ...identity, ...(enabled === false ? { enabled } : {}) },
  }),
};

function makeEntry(resource: DeclaredResource, one: Resource, identity: EntryIdentity): Made {
  return isPlainResource(resource)
    ? plainEntry(resource, one, identity)
    : ownEntryMakers[resource.kind](one, identity);
}

/** The fields that POST accepts, without possible secrets, because a plain entry cannot have references. */
function plainEntry({ input }: PlainResource, one: Resource, identity: EntryIdentity): Made {
  const given = Object.keys(input.shape).filter((field) => field !== 'name' && (one[field] ?? null) !== null);
  const isShown = (field: string) => isHarmless(field, one[field]);
  const fields = Object.fromEntries(given.filter(isShown).map((field) => [field, one[field]]));
  return { entry: { ...identity, ...fields }, leftOut: given.filter((field) => !isShown(field)) };
}

/** A type that may be a secret is left out, because it cannot be a reference. */
function exportConnection({ type, config }: Resource, identity: EntryIdentity): Made {
  const variableFor = (path: readonly (string | number)[]) => nameVariable({ ...identity, path });
  const isShown = typeof type === 'string' && isHarmlessSetting('type', type);
  const { config: settings, replaced, leftOut } = exportedSettings({ type, config }, variableFor);
  return {
    entry: { ...identity, ...(isShown && { type }), config: settings },
    replaced,
    leftOut: isShown || type === undefined ? leftOut : ['type', ...leftOut],
  };
}

/** A file with the entries, by kind. Omits kinds that were not read: an empty list would mean that there are none. */
export function toFile(
  entries: readonly ExportedEntry[],
  kinds: readonly Pick<DeclaredResource, 'kind'>[] = kindsOfFile,
): Resource {
  const lists = kinds.map(({ kind }) => {
    const ofKind = entries.filter((one) => one.kind === kind);
    return [kind, ofKind.map(({ entry }) => entry)] as const;
  });
  return { version: organizationVersion, ...Object.fromEntries(lists) };
}
