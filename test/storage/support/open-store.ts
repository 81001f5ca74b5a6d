import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach } from 'vitest';
import { inMemory, openSqlite } from '../../../src/storage/sqlite/engine.js';
import { openStore, type Store } from '../../../src/storage/store.js';

/** Limits that no test reaches by accident. */
export const ample = { 'api-keys': 1000, connections: 1000, teams: 1000 } as const;

/** Opens stores that each test closes when it ends, and makes directories that it removes. */
export function useStores(): {
  /** In memory unless a path is given. */
  open(path?: string): Promise<Store>;
  directory(): Promise<string>;
} {
  const stores: Store[] = [];
  const directories: string[] = [];
  afterEach(async () => {
    await Promise.all(stores.splice(0).map((store) => store.close()));
    await Promise.all(directories.splice(0).map((path) => rm(path, { recursive: true, force: true })));
  });
  return {
    async open(path = inMemory) {
      const masterKey = () => Promise.resolve(Buffer.alloc(32, 1));
      const store = await openStore(await openSqlite(path), { clock: Date.now, masterKey });
      stores.push(store);
      return store;
    },
    async directory() {
      const path = await mkdtemp(join(tmpdir(), 'orgctl-test-'));
      directories.push(path);
      return path;
    },
  };
}
