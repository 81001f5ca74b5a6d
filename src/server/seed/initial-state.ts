import type { KeyCredential } from '../../storage/api-keys.js';
import type { PlannedKey, PlannedOrganization, StoredContent } from '../../storage/contents.js';
import type { Store } from '../../storage/store.js';
import { firstKey } from '../data/first-key.js';
import {
  type FirstOrganizationOptions,
  firstKeyName,
  organizationName,
} from '../options/first-organization.js';
import type { Seed } from '../options/seed.js';

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
  const seeded = options.seed && (await planned(options.seed, store, options));
  const isEmpty = (await store.organizations.first()) === undefined;
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

/** Loads the code for seeds on demand: most starts have none. */
async function planned(seed: Seed, { apiKeys }: Store, options: InitialOptions) {
  const { planSeed } = await import('./plan.js');
  return planSeed(seed, options, async (keyId) => (await apiKeys.credential(keyId))?.secret);
}

function planStart(
  organization: Omit<PlannedOrganization, 'id'>,
  { organizationId, keyId, secret }: KeyCredential,
): PlannedOrganization {
  const keys = organization.resources['api-keys'];
  const known = keys.find(({ id }) => id === keyId);
  const first: PlannedKey = { id: keyId, name: known?.name ?? firstKeyName, secret, enabled: true };
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
