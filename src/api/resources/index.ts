import { apiKeys } from './api-key.js';
import { connections } from './connection.js';
import type { QuotaKind } from './records.js';
import { teams } from './team.js';

/** Every resource of the service; adding one begins here (docs/project-layout.md). */
export const resources = [apiKeys, connections, teams] as const;

export type DeclaredResource = (typeof resources)[number];
export type ResourceKind = DeclaredResource['kind'];
export type ResourceTable = DeclaredResource['table'];

type LimitedResource = Extract<DeclaredResource, { readonly quota: number }>;

export type { QuotaKind };

/** Whether creation is limited by a quota. */
export function hasQuota(resource: DeclaredResource): resource is LimitedResource {
  return 'quota' in resource;
}

export const limitedResources: readonly LimitedResource[] = resources.filter(hasQuota);

export const quotaKinds: readonly QuotaKind[] = limitedResources.map(({ kind }) => kind);

export function isQuotaKind(value: string): value is QuotaKind {
  return quotaKinds.some((kind) => kind === value);
}
