import { type QuotaKind, resources } from '../../api/resources/index.js';
import { placeMessage } from '../../api/schema/schema.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import { isKeyId, keyIdPrefix } from '../../redaction/harmless.js';
import { equalInConstantTime } from '../../signing/basic/basic.js';
import { type KeyCredential, type NewApiKey, newSecret } from '../../storage/api-keys.js';
import type { Filling } from '../../storage/contents.js';
import { isDuplicate } from '../../storage/engine.js';
import { QuotaExceeded } from '../../storage/quotas.js';
import { type NamedFields, newIdentifier } from '../../storage/resources.js';
import type { Store } from '../../storage/store.js';
import {
  type BootstrapKey,
  firstKeyName,
  organizationName,
  type SeededKey,
  type ServerOptions,
} from '../options.js';

type PlannedKey = Required<NewApiKey>;

/** Has all IDs and secrets. */
interface PlannedOrganization {
  readonly id: string;
  readonly name: string;
  readonly limits: NonNullable<ServerOptions['quotas']>;
  readonly keys: readonly PlannedKey[];
  readonly others: readonly { readonly kind: QuotaKind; readonly item: NamedFields }[];
}

/** Prepares a store, and seeds an empty one. `content` fills it after a reset. @throws UsageError, and as `firstKey` */
export async function initialState(store: Store, options: ServerOptions, warn: (message: string) => void) {
  const { bootstrap = {}, quotas = {} } = options;
  const seeded = options.seed && (await planSeed(options, store));
  const isEmpty = (await store.organizations.first()) === undefined;
  if (seeded && isEmpty) await store.contents.replace(fillWith(seeded, store)).catch(refuseSeed);
  if (seeded && !isEmpty) warn('the seed was not applied: the store already has data');
  const key = await firstKey(store, bootstrap, quotas);
  if (!key.enabled) warn('every API key of the first organization is disabled: enable one in the console');
  const plain = { name: organizationName, limits: quotas, keys: [], others: [] };
  const [first = plain, ...others] = seeded ?? [];
  const start = { ...first, id: key.organizationId, keys: putFirst(first.keys, key.keyId, key.secret) };
  return {
    key,
    seededKeys: seeded && (await findPresent(seeded, store)),
    content: () => fillWith([start, ...others], store),
  };
}

/** Adds IDs and secrets. `quotas` and `bootstrap` apply to the first organization. @throws UsageError */
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

/**
 * Returns the store's first key, a disabled one only if all are. Creates the first organization with a key if there is
 * none. Issues another key if the organization has none, or if all its keys are disabled and `given` has a new ID.
 * @throws UsageError, ConfigError, or QuotaExceeded
 */
async function firstKey(
  { organizations, quotas, apiKeys }: Store,
  given: BootstrapKey,
  limits: Partial<Record<QuotaKind, number>>,
): Promise<KeyCredential> {
  requireWellFormed(given);
  const key = { name: firstKeyName, id: given.keyId, secret: given.secret };
  const organizationId = await organizations.first();
  if (organizationId === undefined) {
    if (limits['api-keys'] === 0)
      throw new UsageError('the quota for api-keys must be at least 1: it counts the first key');
    const { id, ...made } = await organizations.create(organizationName, limits, key, true);
    return { ...made, organizationId: id, enabled: true };
  }
  await quotas.setLimits(organizationId, limits);
  const stored = await organizations.firstKey();
  const isNew = async (keyId: string) => (await apiKeys.credential(keyId)) === undefined;
  const isWanted = !stored?.enabled && given.keyId !== undefined && (await isNew(given.keyId));
  if (stored === undefined || isWanted) return organizations.issueFirstKey(organizationId, key);
  return requireSame(given, stored);
}

function requireWellFormed({ keyId, secret }: BootstrapKey): void {
  if (keyId !== undefined && !isKeyId(keyId))
    throw new UsageError(`the first key's ID must be ${keyIdPrefix} and letters, digits, - or _`);
  if (secret !== undefined && !/^[\x21-\x7e]{64}$/.test(secret))
    throw new ConfigError("the first key's secret must be 64 visible ASCII characters");
}

function requireSame({ keyId, secret }: BootstrapKey, stored: KeyCredential): KeyCredential {
  const isSame = keyId === undefined || keyId === stored.keyId;
  if (isSame && (secret === undefined || equalInConstantTime(secret, stored.secret))) return stored;
  const what = `the first key in the data is ${stored.keyId}, with another ${isSame ? 'secret' : 'ID'} than given`;
  throw new ConfigError(what, { hint: 'do not give one, or choose another data directory' });
}

/** The first key if enabled, else a new one: `orgctl api-keys rotate` must not delete a key that others use. */
export async function profileKey({ organizations }: Store, organization: string): Promise<SeededKey> {
  const issued = await organizations.issuedFirstKey();
  const key = issued ?? (await organizations.issueFirstKey(organization, { name: firstKeyName }));
  return { organization, keyId: key.keyId, secret: key.secret };
}
