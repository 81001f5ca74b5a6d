import { type ResourceKind, resources } from '../../api/resources/index.js';
import { placeMessage } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import type {
  PlannedKey,
  PlannedOrganization,
  PlannedResource,
  StoredContent,
} from '../../storage/contents.js';
import { newIdentifier, newSecret } from '../../storage/database/random.js';
import type { Store } from '../../storage/store.js';
import { firstKey } from '../data/first-key.js';
import {
  type FirstOrganizationOptions,
  firstKeyName,
  organizationName,
} from '../options/first-organization.js';
import type { Seed, SeedOrganization } from '../options/seed.js';
import { checkSeed, needsBootstrapKey } from './schema.js';

export interface InitialOptions extends FirstOrganizationOptions {
  readonly seed?: Seed | undefined;
}

/** A stored key of the seed. */
export interface SeededKey {
  readonly organization: string;
  readonly keyId: string;
  readonly secret: string;
}

export interface InitialState {
  readonly key: KeyCredential;
  readonly seededKeys?: readonly SeededKey[];
  /** The content after a reset: the first organization with its first key, or the whole seed. */
  readonly content: () => StoredContent;
  /** Whether the seed was skipped because the store was not empty. */
  readonly seedPassedOver: boolean;
}

/** Prepares a store; seeds an empty one. @throws UsageError for an invalid seed, and the errors of `firstKey` */
export async function initialState(store: Store, options: InitialOptions): Promise<InitialState> {
  const { bootstrap = {}, quotas = {} } = options;
  const seed = options.seed === undefined ? undefined : requireSound(options.seed, options);
  const isEmpty = (await store.organizations.first()) === undefined;
  const secretOf = async (keyId: string) => (await store.apiKeys.credential(keyId))?.secret;
  const seeded = seed && (await planSeed(seed, options, secretOf));
  const filling = seeded && isEmpty ? store.contents.compose(seeded) : undefined;
  if (filling) await store.contents.replace(filling);
  const key = await firstKey(store, bootstrap, quotas);
  const plain = { name: organizationName, limits: quotas, resources: { 'api-keys': [] } };
  const [first = plain, ...others] = seeded ?? [];
  return {
    key,
    ...(seeded && { seededKeys: await findPresent(seeded, store) }),
    content: planOnce(() => filling ?? store.contents.compose([planStart(first, key), ...others])),
    seedPassedOver: seeded !== undefined && !isEmpty,
  };
}

/** Keeps the content for further resets, because encrypting it takes long. */
function planOnce<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function requireSound(value: Seed, options: InitialOptions): Seed {
  const checked = checkSeed(value, options);
  if ('seed' in checked) return checked.seed;
  throw new UsageError('invalid seed', { problems: checked.problems.map(placeMessage) });
}

function planStart(
  organization: Omit<PlannedOrganization, 'id'>,
  { organizationId, keyId, secret }: KeyCredential,
): PlannedOrganization {
  const keys = organization.resources['api-keys'];
  const planned = keys.find(({ id }) => id === keyId);
  const first: PlannedKey = { id: keyId, name: planned?.name ?? firstKeyName, secret, enabled: true };
  const others = keys.filter(({ id }) => id !== keyId);
  const resources = { ...organization.resources, 'api-keys': [first, ...others] };
  return { ...organization, id: organizationId, resources };
}

async function findPresent(plan: readonly PlannedOrganization[], { apiKeys }: Store): Promise<SeededKey[]> {
  const keyIds = plan.flatMap(({ resources }) => resources['api-keys'].map(({ id }) => id));
  const found = await Promise.all(keyIds.map((keyId) => apiKeys.credential(keyId)));
  return found
    .filter((key) => key !== undefined)
    .map(({ organizationId, keyId, secret }) => ({ organization: organizationId, keyId, secret }));
}

/**
 * A seed's organizations, with missing values filled in. `quotas` and `bootstrap` apply to the first organization.
 * @param secretOf finds the secret of an existing key, so that a restart plans the same secret
 */
async function planSeed(
  { organizations }: Seed,
  options: FirstOrganizationOptions,
  secretOf: (keyId: string) => Promise<string | undefined>,
): Promise<PlannedOrganization[]> {
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
