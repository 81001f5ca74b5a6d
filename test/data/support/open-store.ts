import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, inject } from 'vitest';
import type { Engine } from '../../../src/storage/engine.js';
import { KeyRing } from '../../../src/storage/key-ring.js';
import { openPostgres } from '../../../src/storage/postgres/engine.js';
import { openSqlite } from '../../../src/storage/sqlite/engine.js';
import { openStore, type Store } from '../../../src/storage/store.js';
import { useDatabase } from '../../support/databases.js';

/** Opens stores that each test closes when it ends, and makes places for them that it removes. */
export interface Stores {
  /** In an empty place unless one is given. */
  open(place?: string): Promise<Store>;
  /** An empty place for a store, as `engine` takes it. */
  place(): Promise<string>;
  /** Opens what is in a place; whoever asks closes it. */
  engine(place: string): Promise<Engine>;
}

/** Stores on the engine that the suite runs over. */
export function useStores(): Stores {
  const stores: Store[] = [];
  const places = inject('engine') === 'postgresql' ? usePostgres() : useSqlite();
  afterEach(() => Promise.all(stores.splice(0).map((store) => store.close())));
  return {
    ...places,
    async open(place) {
      const masterKey = () => Promise.resolve(new KeyRing(Buffer.alloc(32, 1)));
      const engine = await places.engine(place ?? (await places.place()));
      const store = await openStore(engine, Date.now, masterKey);
      stores.push(store);
      return store;
    },
  };
}

function usePostgres(): Omit<Stores, 'open'> {
  const database = useDatabase();
  return { place: () => database.fresh(), engine: openPostgres };
}

function useSqlite(): Omit<Stores, 'open'> {
  const directories: string[] = [];
  afterEach(async () => {
    await Promise.all(directories.splice(0).map((path) => rm(path, { recursive: true, force: true })));
  });
  return {
    async place() {
      const path = await mkdtemp(join(tmpdir(), 'orgctl-test-'));
      directories.push(path);
      return join(path, 'orgctl.db');
    },
    engine: openSqlite,
  };
}
