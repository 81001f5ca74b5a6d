import { Kysely } from 'kysely';
import type { QuotaRecord } from '../api/quota.js';
import { mapPlainResources, type ResourceKind, type ResourceTable } from '../api/resources/index.js';
import { ApiKeys, type KeyCredential } from './api-keys.js';
import { StoredConnections } from './connections.js';
import { Contents } from './contents.js';
import { StoreBroken } from './database/store-unavailable.js';
import type { Tables } from './database/tables.js';
import { type MasterKeySource, type Unlocked, unlock } from './encryption/unlock.js';
import type { Engine } from './engine/engine.js';
import { startError } from './engine/start-error.js';
import { miscounts } from './inspect.js';
import { Organizations } from './organizations.js';
import { plainly } from './plain-storing.js';
import { RateWindows } from './rate-windows.js';
import { QuotaReader } from './reading/quotas.js';
import { ReadCache } from './reading/read-cache.js';
import { openRowNumbers, type RowNumbers } from './reading/row-numbers.js';
import { type Repository, Resources } from './resources.js';
import { prepareSchema } from './schema.js';
import { exclusiveWriting, sharedWriting } from './writing/writing.js';

export interface Store {
  readonly organizations: Organizations;
  readonly apiKeys: ApiKeys;
  readonly resources: Readonly<Record<ResourceKind, Repository>> & {
    readonly 'api-keys': ApiKeys;
    readonly connections: StoredConnections;
  };
  readonly quotas: QuotaReader;
  rowNumbers(table: ResourceTable): RowNumbers;
  readonly contents: Contents;
  readonly rateWindows?: RateWindows;
  /** Runs work under a lock that only one server can hold at a time. @throws ConfigError for unusable data */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @throws StoreUnavailable if writes would fail */
  requireReady(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly clock: () => number;
  readonly masterKey: MasterKeySource;
}

/** Creates the tables of new data. @throws ConfigError if the data or the master key cannot be used */
export async function openStore(engine: Engine, options: StoreOptions): Promise<Store> {
  const database = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    await prepareSchema(database, engine);
    const unlocked = await engine.alone(() => unlock(database, options.masterKey));
    if (engine.exclusive) await requireCounted(database, engine);
    return assemble(database, engine, unlocked, options.clock);
  } catch (error) {
    // Closing can fail too, for example on a full disk; the first error is reported.
    await database.destroy().catch(() => undefined);
    throw startError(error, engine);
  }
}

/** With a wrong count, the server would refuse creations too early or too late. */
async function requireCounted(database: Kysely<Tables>, { place }: Engine): Promise<void> {
  const [first] = await miscounts(database);
  if (first !== undefined) throw new StoreBroken(place, first);
}

const cachedOrganizations = 10_000;
const cachedCredentials = 10_000;

/** Milliseconds within which a server notices changes that another server made to API keys. */
const sharedCredentialAge = 500;

function assemble(database: Kysely<Tables>, engine: Engine, unlocked: Unlocked, clock: () => number): Store {
  const quotaCache = new ReadCache<QuotaRecord>(engine.exclusive ? cachedOrganizations : 0);
  const credentialCache = new ReadCache<KeyCredential>(
    cachedCredentials,
    engine.exclusive ? {} : { maxAge: sharedCredentialAge, absent: cachedCredentials },
  );
  const now = () => new Date(clock()).toISOString();
  const parts = { database, engine, unlocked, now };
  const { context, requireReady, settled } =
    engine.createTogether === undefined
      ? exclusiveWriting(parts, (organizationId) => quotaCache.forget(organizationId))
      : sharedWriting(parts, engine.createTogether);
  const apiKeys = new ApiKeys(context, credentialCache);
  const repositories = {
    ...mapPlainResources(
      'kind',
      (resource): Repository => new Resources(context, resource, plainly(resource)),
    ),
    'api-keys': apiKeys,
    connections: new StoredConnections(context),
  };
  return {
    organizations: new Organizations(context, apiKeys),
    apiKeys,
    resources: repositories,
    quotas: new QuotaReader(context, quotaCache),
    rowNumbers: (table) => openRowNumbers(context, table),
    contents: new Contents(context, repositories, () => {
      quotaCache.forgetAll();
      credentialCache.forgetAll();
    }),
    ...(!engine.exclusive && { rateWindows: new RateWindows(database) }),
    alone: (work) => engine.alone(work).catch((error: unknown) => Promise.reject(startError(error, engine))),
    async requireReady() {
      await engine.requireReady(database);
      await requireReady();
    },
    async close() {
      await settled();
      await database.destroy();
    },
  };
}
