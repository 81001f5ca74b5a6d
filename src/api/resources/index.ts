import { apiKeys } from './api-key.js';
import { connections } from './connection.js';
import type { ResourceKind } from './records.js';
import { teams } from './team.js';

export type { ResourceKind };

export type DeclaredResource = typeof apiKeys | typeof connections | typeof teams;
export type ResourceTable = DeclaredResource['table'];

/** Adding a resource begins here (docs/project-layout.md). */
export const resources: readonly DeclaredResource[] = [apiKeys, connections, teams];

/** Such as `API key` for `api-keys`; returns an undeclared kind unchanged. */
export function toSingular(kind: string): string {
  return resources.find((resource) => resource.kind === kind)?.singular ?? kind;
}

/** The kinds of resources whose number is limited. */
export type QuotaKind = ResourceKind;

export const quotaKinds: readonly QuotaKind[] = resources.map(({ kind }) => kind);

export function isQuotaKind(value: string): value is QuotaKind {
  return quotaKinds.some((kind) => kind === value);
}

/** A resource without custom code in client, server and commands. */
export type PlainResource = typeof teams;

export function isPlainResource(resource: DeclaredResource): resource is PlainResource {
  return !('hasOwnCode' in resource);
}
