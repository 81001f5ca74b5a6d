import { apiKeys } from './api-key.js';
import { connections } from './connection.js';
import type { Team, TeamInput, TeamPatch } from './records.js';
import { teams } from './team.js';

/** Adding a resource begins here (docs/project-layout.md). */
const declared = [apiKeys, connections, teams] as const;

/** What programs get and send of plain resources, by kind. */
export interface PlainRecords {
  readonly teams: { readonly item: Team; readonly input: TeamInput; readonly patch: TeamPatch };
}

export type DeclaredResource = (typeof declared)[number];
export type ResourceTable = DeclaredResource['table'];
/** The number of each kind is limited. */
export type QuotaKind = 'api-keys' | 'connections' | keyof PlainRecords;

export const resources: readonly DeclaredResource[] = declared;

/** An object with a value for each resource, by `kind` or by `property`. */
export function byResource<Key extends 'kind' | 'property', Value>(
  key: Key,
  make: (resource: DeclaredResource) => Value,
): Readonly<Record<DeclaredResource[Key], Value>>;
export function byResource<Value>(key: 'kind' | 'property', make: (resource: DeclaredResource) => Value) {
  return Object.fromEntries(resources.map((resource) => [resource[key], make(resource)]));
}

/** Such as `API key` for `api-keys`; returns an undeclared kind unchanged. */
export function toSingular(kind: string): string {
  return resources.find((resource) => resource.kind === kind)?.singular ?? kind;
}

export const quotaKinds: readonly QuotaKind[] = resources.map(({ kind }) => kind);

export function isQuotaKind(value: string): value is QuotaKind {
  return quotaKinds.some((kind) => kind === value);
}

/** A resource without custom code in client, server and commands. */
export type PlainResource = Exclude<DeclaredResource, { readonly hasOwnCode: true }>;

export function isPlainResource(resource: DeclaredResource): resource is PlainResource {
  return !('hasOwnCode' in resource);
}
