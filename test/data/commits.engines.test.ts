import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest';
import type { Engine, Work } from '../../src/storage/engine.js';
import { KeyRing } from '../../src/storage/key-ring.js';
import { openPostgres } from '../../src/storage/postgres/engine.js';
import { inMemory, openSqlite } from '../../src/storage/sqlite/engine.js';
import { openStore, type Store } from '../../src/storage/store.js';
import type { Tables } from '../../src/storage/tables.js';
import { useDatabase } from '../support/databases.js';

/** Opens stores that each test closes when it ends, and makes places for them that it removes. */
interface Stores {
  /** In an empty place unless one is given. */
  open(place?: string): Promise<Store>;
  /** An empty place for a store, as `engine` takes it. */
  place(): Promise<string>;
  /** Opens what is in a place; whoever asks closes it. */
  engine(place: string): Promise<Engine>;
}

/** Stores on the engine that the suite runs over. */
function useStores(): Stores {
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

const stores = useStores();

/** Asks the very connection that the store works with. */
async function asking<Result>(ask: (database: Kysely<Tables>) => Promise<Result>): Promise<Result> {
  const place = await stores.place();
  await (await stores.open(place)).close();
  const engine = await stores.engine(place);
  try {
    return await ask(engine.database);
  } finally {
    await engine.close();
  }
}

describe('the connection of a store', () => {
  it.runIf(inject('engine') === 'embedded')(
    'has every commit on the disk, and keeps others out',
    async () => {
      const pragma = (name: string) =>
        asking(async (database) => {
          const { rows } = await database.executeQuery<Record<string, unknown>>(
            CompiledQuery.raw(`pragma ${name}`),
          );
          return rows[0]?.[name];
        });
      // 2 is FULL: with less, a power cut takes back what was acknowledged.
      expect(await pragma('synchronous')).toBe(2);
      expect(await pragma('journal_mode')).toBe('wal');
      expect(await pragma('locking_mode')).toBe('exclusive');
      expect(await pragma('foreign_keys')).toBe(1);
    },
  );

  it.runIf(inject('engine') === 'postgresql')('has every commit on the disk', async () => {
    const setting = await asking(async (database) => {
      const query = CompiledQuery.raw('show synchronous_commit');
      return (await database.executeQuery<{ synchronous_commit: string }>(query)).rows;
    });
    expect(setting).toEqual([{ synchronous_commit: expect.stringMatching(/^(on|remote_apply)$/) }]);
  });

  it.runIf(inject('engine') === 'postgresql')('waits for no lock, and keeps none, for long', async () => {
    const setting = await asking(async (database) => {
      const query = CompiledQuery.raw(
        "select current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle",
      );
      return (await database.executeQuery(query)).rows;
    });
    expect(setting).toEqual([{ lock: '3s', idle: '10s' }]);
  });
});

describe('concurrent writes', () => {
  let engine: Engine;

  beforeEach(async () => {
    engine = await openSqlite(inMemory);
    await sql`create table numbers (number integer not null unique)`.execute(engine.database);
  });

  afterEach(() => engine.close());

  function inserting(number: number): Work<number> {
    return async (transaction) => {
      await sql`insert into numbers values (${number})`.execute(transaction);
      return number;
    };
  }

  async function stored(): Promise<number[]> {
    const numbers = sql<{ number: number }>`select number from numbers order by number`;
    return (await numbers.execute(engine.database)).rows.map(({ number }) => number);
  }

  it('are independent: an error undoes only the write that threw it', async () => {
    const refused = new Error('refused');
    const throwing: Work<never> = async (transaction) => {
      await inserting(99)(transaction);
      throw refused;
    };
    const outcomes = await Promise.allSettled(
      [inserting(1), throwing, inserting(1), inserting(2)].map((work) => engine.write<number>(work)),
    );
    expect(outcomes).toEqual([
      { status: 'fulfilled', value: 1 },
      { status: 'rejected', reason: refused },
      { status: 'rejected', reason: expect.objectContaining({ code: 'SQLITE_CONSTRAINT_UNIQUE' }) },
      { status: 'fulfilled', value: 2 },
    ]);
    expect(await stored()).toEqual([1, 2]);
  });

  it('succeed only once they are committed: if the commit fails, all of them fail', async () => {
    const late = sql`create table parts (whole integer references numbers (number) deferrable initially deferred)`;
    await late.execute(engine.database);
    const orphan: Work<unknown> = (transaction) => sql`insert into parts values (7)`.execute(transaction);
    const outcomes = await Promise.allSettled([engine.write(inserting(1)), engine.write(orphan)]);
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(await stored()).toEqual([]);
  });
});
