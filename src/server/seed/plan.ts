import { type ResourceKind, resources } from '../../api/resources/index.js';
import { placeMessage } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';
import type { PlannedKey, PlannedOrganization, PlannedResource } from '../../storage/contents.js';
import { newIdentifier, newSecret } from '../../storage/database/random.js';
import { countNoun } from '../../text/count-noun.js';
import { type FirstOrganizationOptions, firstKeyName } from '../options/first-organization.js';
import type { Seed, SeedOrganization } from '../options/seed.js';
import { checkSeed, needsBootstrapKey } from './schema.js';

/**
 * A seed's organizations, with missing values filled in. `quotas` and `bootstrap` apply to the first organization.
 * @param secretOf finds the secret of an existing key, so that a restart plans the same secret
 * @throws UsageError for an invalid seed
 */
export async function planSeed(
  seed: Seed,
  options: FirstOrganizationOptions,
  secretOf: (keyId: string) => Promise<string | undefined>,
): Promise<PlannedOrganization[]> {
  const { organizations } = requireSound(seed, options);
  const plans = await Promise.all(
    organizations.map(async (organization, at) => ({
      id: organization.id ?? newIdentifier('org'),
      name: organization.name,
      limits: { ...organization.quotas, ...(at === 0 && options.quotas) },
      resources: { ...planOthers(organization), 'api-keys': await planKeys(organization, secretOf) },
    })),
  );
  const [first, ...others] = plans;
  const [seeded] = organizations;
  if (first === undefined || seeded === undefined) return plans;
  const keys = withFirstKey(first.resources['api-keys'], seeded, options);
  return [{ ...first, resources: { ...first.resources, 'api-keys': keys } }, ...others];
}

function requireSound(value: Seed, options: FirstOrganizationOptions): Seed {
  const checked = checkSeed(value, options);
  if ('seed' in checked) return checked.seed;
  const problems = checked.problems.map(placeMessage);
  const more = problems.length > 1 ? `, and ${countNoun(problems.length - 1, 'more problem')}` : '';
  throw new UsageError(`invalid seed: ${problems[0]}${more}`, { problems });
}

function withFirstKey(
  keys: readonly PlannedKey[],
  organization: SeedOrganization,
  options: FirstOrganizationOptions,
): PlannedKey[] {
  const { keyId, secret } = options.bootstrap ?? {};
  if (needsBootstrapKey(organization.keys ?? [], options)) {
    const id = keyId ?? newIdentifier('key');
    return [{ id, name: firstKeyName, secret: secret ?? newSecret(), enabled: true }, ...keys];
  }
  const isFirst = (key: PlannedKey) => (keyId === undefined ? key.enabled : key.id === keyId);
  const first = keys.filter(isFirst).slice(0, 1);
  const others = keys.filter((key) => !first.includes(key));
  return [...first.map((key) => ({ ...key, secret: secret ?? key.secret })), ...others];
}

function planOthers(organization: SeedOrganization) {
  const planned: Partial<Record<Exclude<ResourceKind, 'api-keys'>, readonly PlannedResource[]>> = {};
  for (const { kind, idPrefix } of resources) {
    if (kind === 'api-keys') continue;
    const items = organization[kind] ?? [];
    planned[kind] = items.map((item) => ({ ...item, id: item.id ?? newIdentifier(idPrefix) }));
  }
  return planned;
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
