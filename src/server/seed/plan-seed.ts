import type { ResourceKind } from '../../contract/resource-kind.js';
import type { PlannedKey, PlannedOrganization } from '../../storage/content.js';
import { newIdentifier, newSecret } from '../../storage/identifier.js';
import type { QuotaLimits } from '../../storage/organizations.js';
import { defaultLimits, type FirstOrganizationOptions, firstKeyName } from '../first-organization.js';
import type { Seed, SeedOrganization } from './seed.js';
import type { OrganizationOutline } from './seed-outline.js';

/**
 * What a seed's organizations are to be, with everything generated that it leaves out. The first one is the server's
 * first organization: `--quota` counts for it, and its first key is the one that the server tells of.
 * @param secretOf the secret of a key that is there already, so that a later start plans the same
 */
export async function planSeed(
  { organizations }: Seed,
  options: FirstOrganizationOptions,
  secretOf: (keyId: string) => Promise<string | undefined>,
): Promise<PlannedOrganization[]> {
  const plans = await Promise.all(
    organizations.map(async (organization, at) => ({
      id: organization.id ?? newIdentifier('org'),
      name: organization.name,
      limits: effectiveLimits(organization, at === 0 ? options.quotas : {}),
      keys: await planKeys(organization, secretOf),
      connections: (organization.connections ?? []).map(({ id = newIdentifier('conn'), ...input }) => ({
        ...input,
        id,
      })),
      teams: (organization.teams ?? []).map(({ id = newIdentifier('team'), name }) => ({ id, name })),
    })),
  );
  const [first, ...others] = plans;
  const [seeded] = organizations;
  if (first === undefined || seeded === undefined) return plans;
  return [{ ...first, keys: withFirstKey(first.keys, seeded, options) }, ...others];
}

/** Limits of an organization of a seed, where they are not given the defaults. */
export function effectiveLimits(
  { quotas }: OrganizationOutline,
  given: Partial<Record<ResourceKind, number>> = {},
): QuotaLimits {
  return { ...defaultLimits, ...quotas, ...given };
}

/** Whether the first organization gets a key beside those that the seed lists for it. */
export function needsBootstrapKey(
  { keys = [] }: OrganizationOutline,
  { bootstrap = {} }: FirstOrganizationOptions,
): boolean {
  if (bootstrap.keyId !== undefined) return keys.every(({ id }) => id !== bootstrap.keyId);
  return bootstrap.secret !== undefined || keys.every(({ enabled }) => enabled === false);
}

/** The keys, that with which the server is to be used in front. */
function withFirstKey(
  keys: readonly PlannedKey[],
  organization: SeedOrganization,
  options: FirstOrganizationOptions,
): PlannedKey[] {
  const { keyId, secret } = options.bootstrap ?? {};
  if (needsBootstrapKey(organization, options)) {
    const id = keyId ?? newIdentifier('key');
    return [{ id, name: firstKeyName, secret: secret ?? newSecret(), enabled: true }, ...keys];
  }
  const isFirst = (key: PlannedKey) => (keyId === undefined ? key.enabled : key.id === keyId);
  const first = keys.filter(isFirst).slice(0, 1);
  const others = keys.filter((key) => !first.includes(key));
  return [...first.map((key) => ({ ...key, secret: secret ?? key.secret })), ...others];
}

function planKeys(
  { keys = [] }: SeedOrganization,
  secretOf: (keyId: string) => Promise<string | undefined>,
): Promise<PlannedKey[]> {
  return Promise.all(
    keys.map(async ({ id, secret, name = 'seed', enabled = true }) => ({
      id,
      name,
      secret: secret ?? (await secretOf(id)) ?? newSecret(),
      enabled,
    })),
  );
}
