import { Kysely } from 'kysely';
import type { QuotaRecord } from '../contract/quota.js';
import { ConfigError } from '../errors.js';
import { ApiKeys, type KeyCredential } from './api-keys.js';
import { type Cipher, createCipher } from './cipher.js';
import { Connections } from './connections.js';
import { Contents } from './contents.js';
import type { StorageContext } from './context.js';
import type { Engine } from './engine.js';
import { GroupCommit } from './group-commit.js';
import { migrate } from './migrate.js';
import { Organizations } from './organizations.js';
import { Quotas } from './quotas.js';
import { ReadCache } from './read-cache.js';
import { readSetting, writeSetting } from './settings.js';
import { StoreUnavailable } from './store-unavailable.js';
import type { Tables } from './tables.js';
import { Teams } from './teams.js';
import { transact } from './transact.js';

/** Everything the service remembers. */
export interface Store {
  readonly organizations: Organizations;
  readonly apiKeys: ApiKeys;
  readonly connections: Connections;
  readonly teams: Teams;
  readonly quotas: Quotas;
  readonly contents: Contents;
  /** Does the work while no other server on the same database does its own. */
  alone<Result>(work: () => Promise<Result>): Promise<Result>;
  /** @throws StoreUnavailable when requests that write would be refused. */
  requireReady(): Promise<void>;
  close(): Promise<void>;
}

export interface StoreOptions {
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** The key of what is sealed. `existing` says that something is sealed already, so that a new key would not open it. */
  readonly masterKey: (existing: boolean) => Promise<Uint8Array>;
}

/**
 * Opens a store, making or migrating its tables.
 * @throws ConfigError when a newer version made the data, the master key is not the one it was sealed with, or the disk
 * does not take what has to be written.
 */
export async function openStore(engine: Engine, options: StoreOptions): Promise<Store> {
  const database = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    await migrate(database, engine);
    const cipher = await engine.alone(() => unlock(database, options.masterKey));
    return assemble(database, engine, cipher, options.clock);
  } catch (error) {
    // Letting go of a database on a full disk can fail too; what went wrong first is what to tell of.
    await database.destroy().catch(() => undefined);
    throw error instanceof StoreUnavailable ? unusable(error, engine) : error;
  }
}

function unusable(error: StoreUnavailable, { hint }: Engine): ConfigError {
  return new ConfigError(error.message, { hint, cause: error });
}

const cachedOrganizations = 10_000;
const cachedCredentials = 10_000;

function assemble(database: Kysely<Tables>, engine: Engine, cipher: Cipher, clock: () => number): Store {
  const quotaCache = new ReadCache<QuotaRecord>(engine.exclusive ? cachedOrganizations : 0);
  const credentialCache = new ReadCache<KeyCredential>(engine.exclusive ? cachedCredentials : 0);
  const group = new GroupCommit(database);
  const context: StorageContext = {
    database,
    cipher,
    now: () => new Date(clock()).toISOString(),
    async write(organizationId, work, isDone) {
      try {
        return await (engine.exclusive ? group.run(work) : transact(database, work, { isDone }));
      } finally {
        if (organizationId !== undefined) quotaCache.forget(organizationId);
      }
    },
    writeAlone: (work) => (engine.exclusive ? group.run(work) : transact(database, work, { alone: true })),
  };
  const apiKeys = new ApiKeys(context, credentialCache);
  return {
    organizations: new Organizations(context, apiKeys),
    apiKeys,
    connections: new Connections(context),
    teams: new Teams(context),
    quotas: new Quotas(context, quotaCache),
    contents: new Contents(context, () => {
      quotaCache.forgetAll();
      credentialCache.forgetAll();
    }),
    alone: engine.alone,
    requireReady: () => engine.requireReady(database),
    async close() {
      await group.settled();
      await database.destroy();
    },
  };
}

const checkPlace = 'settings.value master_key_check';

/** The cipher, once it has opened what an earlier start sealed for this very purpose. */
async function unlock(database: Kysely<Tables>, masterKey: StoreOptions['masterKey']): Promise<Cipher> {
  const check = await readSetting(database, 'master_key_check');
  const cipher = createCipher(await masterKey(check !== undefined));
  if (check === undefined) {
    await writeSetting(database, 'master_key_check', cipher.seal('', checkPlace).toString('base64'));
    return cipher;
  }
  try {
    cipher.open(Buffer.from(check, 'base64'), checkPlace);
    return cipher;
  } catch (error) {
    throw new ConfigError('the data was encrypted with another master key', {
      hint: 'restore the master.key it was made with, or set ORGCTL_SERVE_MASTER_KEY to that key',
      cause: error,
    });
  }
}
