import { mapPlainResources, type ResourceKind, type ResourceTable } from '../api/resources/index.js';
import { ApiKeys } from './api-keys.js';
import { StoredConnections } from './connections.js';
import { Contents } from './contents.js';
import { StorageContext } from './context.js';
import { StoreBroken } from './database/store-unavailable.js';
import { type Engine, startError } from './engine/engine.js';
import { miscounts } from './inspect.js';
import type { KeyRing } from './key-ring.js';
import { type KeyRingSource, unlock } from './master-key.js';
import { Organizations } from './organizations.js';
import { plainly } from './plain-storing.js';
import { RateWindows } from './rate-windows.js';
import { QuotaReader } from './reading/quotas.js';
import { openRowNumbers, type RowNumbers } from './reading/row-numbers.js';
import { type Repository, Resources } from './resources.js';
import { prepareSchema } from './schema.js';

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
  /** Only if several servers can share the store. */
  readonly rateWindows?: RateWindows;
  /** Copies the embedded database to a new or empty file. */
  copyTo?(path: string): Promise<void>;
  /** Runs work under a lock that only one server can hold at a time. @throws ConfigError for unusable data */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @throws StoreUnavailable if writes would fail */
  requireReady(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  readonly clock: () => number;
  readonly masterKey: KeyRingSource;
}

/** Creates the tables of new data. @throws ConfigError if the data or the master key cannot be used */
export async function openStore(engine: Engine, { clock, masterKey }: StoreOptions): Promise<Store> {
  try {
    const ring = await engine.alone(async () => {
      await prepareSchema(engine);
      return unlock(engine, masterKey);
    });
    if (engine.exclusive) await requireCounted(engine);
    return assemble(engine, ring, clock);
  } catch (error) {
    // Closing can fail too, for example on a full disk; the first error is reported.
    await engine.close().catch(() => undefined);
    throw startError(error, engine);
  }
}

async function requireCounted({ database, place }: Engine): Promise<void> {
  const [first] = await miscounts(database);
  if (first !== undefined) throw new StoreBroken(place, first);
}

function assemble(engine: Engine, ring: KeyRing, clock: () => number): Store {
  const context = new StorageContext(engine, ring, clock);
  const quotas = new QuotaReader(engine);
  const apiKeys = new ApiKeys(context, quotas);
  const plain = mapPlainResources(
    'kind',
    (resource): Repository => new Resources(context, quotas, resource, plainly(resource)),
  );
  return {
    organizations: new Organizations(context, apiKeys, quotas),
    apiKeys,
    resources: { ...plain, 'api-keys': apiKeys, connections: new StoredConnections(context, quotas) },
    quotas,
    rowNumbers: (table) => openRowNumbers(engine.database, table),
    contents: new Contents(engine, () => {
      quotas.forget();
      apiKeys.forget();
    }),
    ...(!engine.exclusive && { rateWindows: new RateWindows(engine.database) }),
    ...(engine.copyTo && { copyTo: engine.copyTo }),
    alone: (work) =>
      engine.alone(work).catch((error: unknown) => {
        throw startError(error, engine);
      }),
    requireReady: engine.requireReady,
    close: engine.close,
  };
}
