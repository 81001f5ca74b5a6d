import { printJson } from '../contract/exact-json.js';
import { type ResourceKind, resourceKinds } from '../contract/resource-kind.js';
import { placeOfSecret } from './api-keys.js';
import type { Cipher } from './cipher.js';
import { placeOfConfig } from './connections.js';
import type { Content, PlannedOrganization, Row } from './content.js';

/**
 * The content that organizations make together. The first of them is the store's first organization, and its first key
 * the store's first key.
 * @param now ISO 8601, when all of it is created
 */
export function composeContent(
  organizations: readonly PlannedOrganization[],
  cipher: Cipher,
  now: string,
): Content {
  const [first] = organizations;
  return {
    firstOrganization: first?.id,
    firstKey: first?.keys[0]?.id,
    rows: {
      organizations: organizations.map(({ id, name }) => ({ id, name, created_at: now })),
      quotas: organizations.flatMap(quotaRows),
      api_keys: organizations.flatMap((organization) => keyRows(organization, cipher, now)),
      connections: organizations.flatMap((organization) => connectionRows(organization, cipher, now)),
      teams: organizations.flatMap((organization) => teamRows(organization, now)),
    },
  };
}

function quotaRows({ id, limits, keys, connections, teams }: PlannedOrganization): Row<'quotas'>[] {
  const used: Record<ResourceKind, number> = {
    'api-keys': keys.length,
    connections: connections.length,
    teams: teams.length,
  };
  return resourceKinds.map((kind) => ({
    organization_id: id,
    kind,
    quota_limit: limits[kind],
    used: used[kind],
  }));
}

function keyRows(organization: PlannedOrganization, cipher: Cipher, now: string): Row<'api_keys'>[] {
  return organization.keys.map(({ id, name, secret, enabled }) => ({
    id,
    organization_id: organization.id,
    name,
    secret: cipher.seal(secret, placeOfSecret(id)),
    enabled: Number(enabled),
    last_used_at: null,
    created_at: now,
  }));
}

function connectionRows(
  organization: PlannedOrganization,
  cipher: Cipher,
  now: string,
): Row<'connections'>[] {
  return organization.connections.map(({ id, name, type, config }) => ({
    id,
    organization_id: organization.id,
    name,
    type,
    config: cipher.seal(printJson(config), placeOfConfig(id)),
    created_at: now,
    updated_at: now,
  }));
}

function teamRows(organization: PlannedOrganization, now: string): Row<'teams'>[] {
  return organization.teams.map(({ id, name }) => ({
    id,
    organization_id: organization.id,
    name,
    created_at: now,
    updated_at: now,
  }));
}
