import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Kysely, sql } from 'kysely';
import Database from 'libsql';
import { describe, expect, it } from 'vitest';
import { ConfigError } from '../../src/errors.js';
import { type Migration, migrate } from '../../src/storage/migrate.js';
import { createResources } from '../../src/storage/migrations/0001-resources.js';
import { openSqlite } from '../../src/storage/sqlite/engine.js';
import type { Tables } from '../../src/storage/tables.js';
import { useStores } from './support/open-store.js';

const stores = useStores();

/** A database as an old version of the program left it. */
async function oldData(): Promise<string> {
  const path = join(await stores.directory(), 'orgctl.db');
  const database = new Database(path);
  database.exec(await readFile(new URL('fixtures/schema-1.sql', import.meta.url), 'utf8'));
  database.close();
  return path;
}

function ask(path: string, query: string): unknown[] {
  const database = new Database(path);
  try {
    return database.prepare(query).all([]);
  } finally {
    database.close();
  }
}

async function migrateWith(path: string, steps: readonly Migration[]): Promise<void> {
  const engine = await openSqlite(path);
  const database = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    await migrate(database, engine, steps);
  } finally {
    await database.destroy();
  }
}

const addColumn: Migration = async (transaction) => {
  await transaction.schema.alterTable('teams').addColumn('colour', 'text').execute();
  await sql`update teams set colour = 'red'`.execute(transaction);
};

describe('data of an older version', () => {
  it('is read by this one, whole', async () => {
    const path = await oldData();
    const store = await stores.open(path);
    const key = await store.organizations.firstKey();
    expect(key).toMatchObject({ keyId: 'key_first', secret: 's'.repeat(64), enabled: true });
    const organization = key?.organizationId ?? '';
    const page = { page: 1, limit: 10 };
    expect(await store.connections.list(organization, page)).toMatchObject([
      {
        name: 'main',
        type: 'sqlite',
        config: { password: 'hunter2' },
        created_at: '2026-01-02T03:04:05.678Z',
      },
    ]);
    expect(await store.teams.list(organization, page)).toMatchObject([{ name: 'a team' }]);
    expect(await store.apiKeys.list(organization, page)).toMatchObject([
      { last_used_at: '2026-01-02T03:05:00.000Z' },
    ]);
    expect(await store.quotas.of(organization)).toMatchObject({
      'api-keys': { limit: 20, used: 1 },
      connections: { limit: 10, used: 1 },
      teams: { limit: 20, used: 1 },
    });
  });

  it('comes to have the schema of new data', async () => {
    const old = await oldData();
    const fresh = join(await stores.directory(), 'orgctl.db');
    for (const path of [old, fresh]) await (await stores.open(path)).close();
    const schema = "select name, sql from sqlite_schema where name not like 'sqlite_%' order by name";
    expect(ask(old, schema)).toEqual(ask(fresh, schema));
  });

  it('takes the steps that it lacks, once', async () => {
    const path = await oldData();
    for (const _ of ['first', 'again']) await migrateWith(path, [createResources, addColumn]);
    expect(ask(path, 'select name, colour from teams')).toEqual([{ name: 'a team', colour: 'red' }]);
    expect(ask(path, 'select version from schema_version')).toEqual([{ version: 2 }]);
  });

  it('is left as it was when a step fails', async () => {
    const path = await oldData();
    const failing: Migration = () => Promise.reject(new Error('broken step'));
    await expect(migrateWith(path, [createResources, addColumn, failing])).rejects.toThrow('broken step');
    expect(ask(path, 'select version from schema_version')).toEqual([{ version: 1 }]);
    await (await stores.open(path)).close();
  });
});

it('data of a newer version is refused, and left as it was', async () => {
  const path = await oldData();
  const database = new Database(path);
  database.exec('update schema_version set version = 99');
  database.close();
  const query = 'select * from schema_version, settings, organizations, quotas, api_keys, connections, teams';
  const before = ask(path, query);
  const opened = stores.open(path);
  await expect(opened).rejects.toThrow(ConfigError);
  await expect(opened).rejects.toThrow(
    'the data has schema version 99, and this program knows no version after',
  );
  expect(before.length).toBeGreaterThan(0);
  expect(ask(path, query)).toEqual(before);
});
