import { type ResourceKind, resources } from '../../api/resources/index.js';
import { placeMessage } from '../../api/schema/schema.js';
import { UsageError } from '../../errors/errors.js';
import { newSecret } from '../../storage/api-keys.js';
import type { Filling } from '../../storage/contents.js';
import { isDuplicate } from '../../storage/engine.js';
import { QuotaExceeded } from '../../storage/quotas.js';
import { type NamedFields, newIdentifier } from '../../storage/resources.js';
import type { Store } from '../../storage/store.js';
import { firstKey } from '../data/first-key.js';
import {
  type BootstrapKey,
  firstKeyName,
  organizationName,
  type SeededKey,
  type ServerOptions,
} from '../options.js';

interface PlannedKey extends NamedFields {
  readonly id: string;
  readonly secret: string;
  readonly enabled: boolean;
}

/** With all IDs and secrets. */
interface PlannedOrganization {
  readonly id: string;
  readonly name: string;
  readonly limits: NonNullable<ServerOptions['quotas']>;
  readonly keys: readonly PlannedKey[];
  readonly others: readonly { readonly kind: ResourceKind; readonly item: NamedFields & { id: string } }[];
}

/** Prepares a store; seeds an empty one. `content` is that after a reset. @throws UsageError, and as `firstKey` */
export async function initialState(store: Store, options: ServerOptions) {
  const { bootstrap = {}, quotas = {} } = options;
  const seeded = options.seed && (await planSeed(options, store));
  const isEmpty = (await store.organizations.first()) === undefined;
  if (seeded && isEmpty) await store.contents.replace(fillWith(seeded, store)).catch(refuseSeed);
  const key = await firstKey(store, bootstrap, quotas);
  const plain = { name: organizationName, limits: quotas, keys: [], others: [] };
  const [first = plain, ...others] = seeded ?? [];
  const start = { ...first, id: key.organizationId, keys: putFirst(first.keys, key.keyId, key.secret) };
  return {
    key,
    seededKeys: seeded && (await findPresent(seeded, store)),
    content: () => fillWith([start, ...others], store),
    seedPassedOver: seeded !== undefined && !isEmpty,
  };
}

/** `quotas` and `bootstrap` apply to the first organization. @throws UsageError */
async function planSeed(
  { seed, bootstrap = {}, quotas }: ServerOptions,
  { apiKeys }: Store,
): Promise<PlannedOrganization[]> {
  const { checkSeed } = await import('./schema.js');
  const checked = checkSeed(seed);
  if ('problems' in checked) {
    const problems = checked.problems.map(placeMessage);
    throw new UsageError(`invalid seed: ${problems[0]}`, { problems });
  }
  const { organizations } = checked.seed;
  const planned: PlannedOrganization[] = [];
  for (const { id = newIdentifier('org'), name, quotas: limits, keys = [], ...lists } of organizations) {
    const isFirst = planned.length === 0;
    const own: PlannedKey[] = [];
    for (const { id: keyId, secret, name: keyName = 'seed', enabled = true } of keys) {
      // A restart plans the secret that the first start generated.
      const known = secret ?? (await apiKeys.credential(keyId))?.secret ?? newSecret();
      own.push({ id: keyId, name: keyName, secret: known, enabled });
    }
    const others = resources.flatMap(({ kind, idPrefix }) =>
      (kind === 'api-keys' ? [] : (lists[kind] ?? [])).map((item) => ({
        kind,
        item: { ...item, id: item.id ?? newIdentifier(idPrefix) },
      })),
    );
    const all = isFirst ? withFirstKey(own, bootstrap) : own;
    planned.push({ id, name, others, keys: all, limits: { ...limits, ...(isFirst && quotas) } });
  }
  return planned;
}

/** Puts the given key first, or else the first enabled one, or else a new one. */
function withFirstKey(keys: readonly PlannedKey[], { keyId, secret }: BootstrapKey): PlannedKey[] {
  const isGiven = keyId !== undefined || secret !== undefined;
  const known = keys.find((key) => (isGiven ? key.id === keyId : key.enabled));
  return putFirst(keys, known?.id ?? keyId ?? newIdentifier('key'), secret ?? known?.secret ?? newSecret());
}

function putFirst(keys: readonly PlannedKey[], id: string, secret: string): PlannedKey[] {
  const name = keys.find((key) => key.id === id)?.name ?? firstKeyName;
  return [{ id, name, secret, enabled: true }, ...keys.filter((key) => key.id !== id)];
}

function fillWith(plan: readonly PlannedOrganization[], store: Store): Filling {
  return async (database) => {
    for (const { id, name, limits, keys, others } of plan) {
      await store.organizations.createWithin(database, { id, name }, limits);
      for (const key of keys) await store.apiKeys.createWithin(database, id, key);
      for (const { kind, item } of others) await store.resources[kind].createWithin(database, id, item);
    }
    const [first] = plan;
    await store.organizations.chooseFirst(database, first?.id, first?.keys[0]?.id);
  };
}

function refuseSeed(cause: unknown): never {
  if (cause instanceof QuotaExceeded) throw new UsageError(`invalid seed: ${cause.message}`, { cause });
  throw isDuplicate(cause) ? new UsageError('invalid seed: an ID appears twice', { cause }) : cause;
}

async function findPresent(plan: readonly PlannedOrganization[], { apiKeys }: Store): Promise<SeededKey[]> {
  const found = await Promise.all(plan.flatMap(({ keys }) => keys.map(({ id }) => apiKeys.credential(id))));
  return found.flatMap((key) =>
    key ? [{ organization: key.organizationId, keyId: key.keyId, secret: key.secret }] : [],
  );
}
