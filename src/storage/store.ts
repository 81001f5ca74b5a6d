import { connections } from '../api/resources/connection.js';
import type { DeclaredResource, ResourceKind } from '../api/resources/index.js';
import { teams } from '../api/resources/team.js';
import { ApiKeys } from './api-keys.js';
import { contentsOf } from './contents.js';
import { type Engine, StoreBroken, startError } from './engine.js';
import { type KeyRingSource, unlock } from './key-ring.js';
import { Organizations } from './organizations.js';
import { miscounts, quotaReader } from './quotas.js';
import { rateWindows } from './rate-windows.js';
import { plainly, Resources } from './resources.js';
import { prepareSchema, type StorageContext } from './schema.js';

export type Store = ReturnType<typeof assemble>;

/** Creates the tables of new data. @throws ConfigError if the data or the master key cannot be used */
export async function openStore(
  engine: Engine,
  clock: () => number,
  masterKey: KeyRingSource,
): Promise<Store> {
  try {
    const ring = await engine.alone(async () => {
      await prepareSchema(engine);
      return unlock(engine, masterKey);
    });
    const [miscount] = engine.exclusive ? await miscounts(engine.database) : [];
    if (miscount !== undefined) throw new StoreBroken(engine.place, miscount);
    return assemble({ engine, ring, now: () => new Date(clock()).toISOString() });
  } catch (error) {
    // Closing can fail too, for example on a full disk; the first error is reported.
    await engine.close().catch(() => undefined);
    throw startError(error, engine);
  }
}

function assemble(context: StorageContext) {
  const { engine } = context;
  const quotas = quotaReader(engine);
  const apiKeys = new ApiKeys(context, quotas);
  const plain = (resource: DeclaredResource) => new Resources(context, quotas, resource, plainly(resource));
  const resources: Readonly<Record<ResourceKind, Resources>> = {
    teams: plain(teams),
    'api-keys': apiKeys,
    connections: plain(connections),
  };
  return {
    organizations: new Organizations(context, apiKeys),
    apiKeys,
    resources,
    quotas,
    contents: contentsOf(engine, () => apiKeys.forget()),
    rateWindows: engine.exclusive ? undefined : rateWindows(engine.database),
    copyTo: engine.copyTo,
    /** As `engine.alone`. @throws ConfigError for unusable data */
    alone: <Result>(work: () => Promise<Result>) =>
      engine.alone(work).catch((error: unknown) => {
        throw startError(error, engine);
      }),
    requireReady: engine.requireReady,
    close: engine.close,
  };
}
