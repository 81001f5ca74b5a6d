import { type ResourceKind, resources } from '../../api/resources/index.js';
import { placeMessage } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';
import { type KeyCredential, newSecret } from '../../storage/api-keys.js';
import type { Filling } from '../../storage/contents.js';
import { isDuplicate } from '../../storage/engine.js';
import { QuotaExceeded } from '../../storage/quotas.js';
import { type NamedFields, newIdentifier } from '../../storage/resources.js';
import type { Store } from '../../storage/store.js';
import { firstKey } from '../data/first-key.js';
import type { Seed, SeededKey, SeedOrganization } from '../options/seed.js';
import {
  type BootstrapKey,
  type FirstOrganizationOptions,
  firstKeyName,
  organizationName,
} from '../options/server-options.js';

interface InitialState {
  readonly key: KeyCredential;
  readonly seededKeys?: readonly SeededKey[];
  /** The content after a reset: the first organization with its first key, or the whole seed. */
  readonly content: () => Filling;
  /** Whether the seed was skipped because the store was not empty. */
  readonly seedPassedOver: boolean;
}

interface PlannedKey extends NamedFields {
  readonly id: string;
  readonly secret: string;
  readonly enabled: boolean;
}

interface PlannedItem {
  readonly kind: ResourceKind;
  readonly item: NamedFields & { readonly id: string };
}

/** An organization of a seed with all IDs and secrets. */
interface PlannedOrganization {
  readonly id: string;
  readonly name: string;
  readonly limits: NonNullable<SeedOrganization['quotas']>;
  readonly keys: readonly PlannedKey[];
  readonly others: readonly PlannedItem[];
}

/** Prepares a store; seeds an empty one. @throws UsageError for an invalid seed, and the errors of `firstKey` */
export async function initialState(
  store: Store,
  options: FirstOrganizationOptions & { readonly seed?: Seed | undefined },
): Promise<InitialState> {
  const { seed, bootstrap = {}, quotas = {} } = options;
  const seeded = seed && (await planSeed(seed, store, options));
  const isEmpty = (await store.organizations.first()) === undefined;
  if (seeded && isEmpty) await store.contents.replace(fillWith(seeded, store)).catch(refuseSeed);
  const key = await firstKey(store, bootstrap, quotas);
  const plain = { name: organizationName, limits: quotas, keys: [], others: [] };
  const [first = plain, ...others] = seeded ?? [];
  const { organizationId: id } = key;
  const start = { ...first, id, keys: putFirst(first.keys, { id: key.keyId, secret: key.secret }) };
  return {
    key,
    ...(seeded && { seededKeys: await findPresent(seeded, store) }),
    content: () => fillWith([start, ...others], store),
    seedPassedOver: seeded !== undefined && !isEmpty,
  };
}

/** `quotas` and `bootstrap` apply to the first organization. @throws UsageError */
async function planSeed(
  value: Seed,
  { apiKeys }: Store,
  { bootstrap = {}, quotas }: FirstOrganizationOptions,
): Promise<PlannedOrganization[]> {
  // Loaded on demand: most starts have no seed.
  const { checkSeed } = await import('./schema.js');
  const checked = checkSeed(value);
  if ('problems' in checked) {
    const problems = checked.problems.map(placeMessage);
    throw new UsageError(`invalid seed: ${problems[0]}`, { problems });
  }
  const planned: PlannedOrganization[] = [];
  for (const { id = newIdentifier('org'), name, quotas: limits, keys = [], ...lists } of checked.seed
    .organizations) {
    const isFirst = planned.length === 0;
    const own: PlannedKey[] = [];
    for (const { id: keyId, secret, name: keyName = 'seed', enabled = true } of keys) {
      // A restart plans the secret that the first start generated.
      const known = secret ?? (await apiKeys.credential(keyId))?.secret ?? newSecret();
      own.push({ id: keyId, name: keyName, secret: known, enabled });
    }
    planned.push({
      ...{ id, name, others: planOthers(lists) },
      keys: isFirst ? withFirstKey(own, bootstrap) : own,
      limits: { ...limits, ...(isFirst && quotas) },
    });
  }
  return planned;
}

function planOthers(lists: Partial<SeedOrganization>): PlannedItem[] {
  return resources.flatMap(({ kind, idPrefix }) =>
    kind === 'api-keys'
      ? []
      : (lists[kind] ?? []).map((item) => ({
          kind,
          item: { ...item, id: item.id ?? newIdentifier(idPrefix) },
        })),
  );
}

/** Puts the given key first, or else the first enabled one; adds a key if there is none. */
function withFirstKey(keys: readonly PlannedKey[], { keyId, secret }: BootstrapKey): PlannedKey[] {
  const enabled = keys.find((key) => (keyId === undefined ? key.enabled : key.id === keyId));
  if (enabled?.enabled === false) {
    throw new UsageError(`invalid seed: ${enabled.id} is to be the first key, which must be enabled`);
  }
  const isAdded = keyId === undefined && secret !== undefined;
  const id = (isAdded ? undefined : enabled?.id) ?? keyId ?? newIdentifier('key');
  return putFirst(keys, { id, secret: secret ?? (enabled?.id === id ? enabled.secret : newSecret()) });
}

function putFirst(
  keys: readonly PlannedKey[],
  { id, secret }: Pick<PlannedKey, 'id' | 'secret'>,
): PlannedKey[] {
  const name = keys.find((key) => key.id === id)?.name ?? firstKeyName;
  return [{ id, name, secret, enabled: true }, ...keys.filter((key) => key.id !== id)];
}

/** Creates everything through the repositories, which refuse what exceeds a quota. */
function fillWith(plan: readonly PlannedOrganization[], store: Store): Filling {
  return async (database) => {
    for (const { id, name, limits, keys, others } of plan) {
      await store.organizations.createWithin(database, { id, name }, limits);
      for (const key of keys) await store.apiKeys.createWithin(database, id, key, key.id);
      for (const { kind, item } of others)
        await store.resources[kind].createWithin(database, id, item, item.id);
    }
    const [first] = plan;
    await store.organizations.chooseFirst(database, first?.id, first?.keys[0]?.id);
  };
}

/** @throws UsageError if the seed itself cannot be stored */
function refuseSeed(cause: unknown): never {
  if (cause instanceof QuotaExceeded) throw new UsageError(`invalid seed: ${cause.message}`, { cause });
  throw isDuplicate(cause) ? new UsageError('invalid seed: an ID appears twice', { cause }) : cause;
}

async function findPresent(plan: readonly PlannedOrganization[], { apiKeys }: Store): Promise<SeededKey[]> {
  const planned = plan.flatMap(({ keys }) => keys);
  const found = await Promise.all(planned.map(({ id }) => apiKeys.credential(id)));
  return found.flatMap((key) =>
    key ? [{ organization: key.organizationId, keyId: key.keyId, secret: key.secret }] : [],
  );
}
