import { byResource, type DeclaredResource } from '../api/resources/index.js';
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
  const repository = (resource: DeclaredResource): Resources =>
    resource.kind === 'api-keys' ? apiKeys : new Resources(context, quotas, resource, plainly(resource));
  return {
    organizations: new Organizations(context, apiKeys),
    apiKeys,
    resources: byResource('kind', repository),
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
