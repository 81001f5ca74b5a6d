import { UsageError } from '../../errors.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { Content, PlannedKey, PlannedOrganization } from '../../storage/content.js';
import type { Store } from '../../storage/store.js';
import { firstKey } from '../first-key.js';
import {
  defaultLimits,
  type FirstOrganizationOptions,
  firstKeyName,
  organizationName,
} from '../first-organization.js';
import { checkSeed } from './check-seed.js';
import { planSeed } from './plan-seed.js';
import type { Seed } from './seed.js';
import { describeProblem } from './seed-problem.js';

/** What a store is begun with. */
export interface InitialOptions extends FirstOrganizationOptions {
  readonly seed?: Seed | undefined;
}

/** A key of the seed, as its clients need it. */
export interface SeededKey {
  readonly organization: string;
  readonly keyId: string;
  readonly secret: string;
}

/** What a server starts with. */
export interface InitialState {
  /** The first key. */
  readonly key: KeyCredential;
  /** The keys of the seed that are in the store; absent without a seed. */
  readonly seededKeys?: readonly SeededKey[];
  /** What a reset makes: the first organization with its first key, or all of the seed. */
  readonly content: () => Content;
  /** Whether there is a seed that was not applied, because the store was not empty. */
  readonly seedPassedOver: boolean;
}

/**
 * Brings a store to the state it starts with. A seed fills an empty store, whole or not at all; one that is not empty is
 * left as it is [ours].
 * @throws UsageError for a seed with problems; otherwise as `firstKey`.
 */
export async function initialState(store: Store, options: InitialOptions): Promise<InitialState> {
  const { bootstrap = {}, quotas = {} } = options;
  const seed = options.seed === undefined ? undefined : requireSound(options.seed, options);
  const isEmpty = (await store.organizations.first()) === undefined;
  const secretOf = async (keyId: string) => (await store.apiKeys.credential(keyId))?.secret;
  const seeded = seed && (await planSeed(seed, options, secretOf));
  const filling = seeded && isEmpty ? store.contents.compose(seeded) : undefined;
  if (filling) await store.contents.replace(filling);
  const key = await firstKey(store, bootstrap, quotas);
  const plain = { name: organizationName, limits: { ...defaultLimits, ...quotas } };
  const [first = { ...plain, keys: [], connections: [], teams: [] }, ...others] = seeded ?? [];
  return {
    key,
    ...(seeded && { seededKeys: await present(seeded, store) }),
    content: once(() => filling ?? store.contents.compose([startingWith(first, key), ...others])),
    seedPassedOver: seeded !== undefined && !isEmpty,
  };
}

/** Sealing a thousand connections takes longer than storing them. */
function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

function requireSound(value: Seed, options: InitialOptions): Seed {
  const checked = checkSeed(value, options);
  if ('seed' in checked) return checked.seed;
  throw new UsageError('the seed cannot be used', { problems: checked.problems.map(describeProblem) });
}

/** The organization under the ID that the server told of, with the key that it told of in front. */
function startingWith(
  organization: Omit<PlannedOrganization, 'id'>,
  { organizationId, keyId, secret }: KeyCredential,
): PlannedOrganization {
  const planned = organization.keys.find(({ id }) => id === keyId);
  const first: PlannedKey = { id: keyId, name: planned?.name ?? firstKeyName, secret, enabled: true };
  const others = organization.keys.filter(({ id }) => id !== keyId);
  return { ...organization, id: organizationId, keys: [first, ...others] };
}

async function present(plan: readonly PlannedOrganization[], { apiKeys }: Store): Promise<SeededKey[]> {
  const keyIds = plan.flatMap(({ keys }) => keys.map(({ id }) => id));
  const found = await Promise.all(keyIds.map((keyId) => apiKeys.credential(keyId)));
  return found
    .filter((key) => key !== undefined)
    .map(({ organizationId, keyId, secret }) => ({ organization: organizationId, keyId, secret }));
}
