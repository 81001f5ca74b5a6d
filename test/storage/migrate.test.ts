import { readFile } from 'node:fs/promises';
import { CompiledQuery, Kysely, sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import type { Tables } from '../../src/storage/database/tables.js';
import type { Engine } from '../../src/storage/engine/engine.js';
import { type Migration, migrate } from '../../src/storage/migrate.js';
import { createResources } from '../../src/storage/migrations/0001-resources.js';
import { createResourceTable } from '../../src/storage/migrations/new-resource.js';
import { useStores } from './support/open-store.js';

const stores = useStores();

/** A database as an old version of the program left it, which was another program text for each engine. */
async function oldData(): Promise<string> {
  const place = await stores.place();
  const text = await readFile(new URL(`fixtures/schema-1.${inject('engine')}.sql`, import.meta.url), 'utf8');
  await withDatabase(place, async (database) => {
    for (const statement of text.split(/;\n/).filter((part) => part.trim() !== '')) {
      await database.executeQuery(CompiledQuery.raw(statement));
    }
  });
  return place;
}

async function withDatabase<Result>(
  place: string,
  work: (database: Kysely<Tables>, engine: Engine) => Promise<Result>,
): Promise<Result> {
  const engine = await stores.engine(place);
  const database = new Kysely<Tables>({ dialect: engine.dialect });
  try {
    return await work(database, engine);
  } finally {
    await database.destroy();
  }
}

function ask(place: string, query: string): Promise<unknown[]> {
  return withDatabase(
    place,
    async (database) => (await database.executeQuery(CompiledQuery.raw(query))).rows,
  );
}

function migrateWith(place: string, steps: readonly Migration[]): Promise<void> {
  return withDatabase(place, (database, engine) => migrate(database, engine, steps));
}

/** What describes the tables to the engine that the suite runs over. */
const schemaQuery = {
  embedded: "select name, sql from sqlite_schema where name not like 'sqlite_%' order by name",
  postgresql: `select table_name, column_name, data_type, is_nullable, column_default, is_identity, indexes
    from information_schema.columns left join (
      select tablename, array_agg(replace(indexdef, schemaname, '') order by indexname) as indexes
      from pg_indexes where schemaname = current_schema() group by tablename
    ) as indexes on tablename = table_name
    where table_schema = current_schema() order by table_name, ordinal_position`,
}[inject('engine')];

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
    expect(await store.resources.connections.list(organization, page)).toMatchObject([
      {
        name: 'main',
        type: 'sqlite',
        config: { password: 'hunter2' },
        created_at: '2026-01-02T03:04:05.678Z',
      },
    ]);
    expect(await store.resources.teams.list(organization, page)).toMatchObject([{ name: 'a team' }]);
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
    const fresh = await stores.place();
    for (const path of [old, fresh]) await (await stores.open(path)).close();
    const schema = await ask(old, schemaQuery);
    expect(schema.length).toBeGreaterThan(7);
    expect(schema).toEqual(await ask(fresh, schemaQuery));
  });

  it('takes the steps that it lacks, once', async () => {
    const path = await oldData();
    for (const _ of ['first', 'again']) await migrateWith(path, [createResources, addColumn]);
    expect(await ask(path, 'select name, colour from teams')).toEqual([{ name: 'a team', colour: 'red' }]);
    expect(await ask(path, 'select version from schema_version')).toEqual([{ version: 2 }]);
  });

  it('gets the table of a new resource, and its organizations the quota', async () => {
    const path = await oldData();
    const kind = { kind: 'web-hooks', table: 'web_hooks', texts: ['url', 'updated_at'] };
    const step: Migration = (transaction, engine) =>
      createResourceTable(transaction, engine, { ...kind, quota: 5 });
    await migrateWith(path, [createResources, step]);
    expect(await ask(path, "select quota_limit, used from quotas where kind = 'web-hooks'")).toEqual([
      { quota_limit: 5, used: 0 },
    ]);
    expect(await ask(path, 'select id, organization_id, name, url, updated_at from web_hooks')).toEqual([]);
  });

  it('is left as it was when a step fails', async () => {
    const path = await oldData();
    const failing: Migration = () => Promise.reject(new Error('broken step'));
    await expect(migrateWith(path, [createResources, addColumn, failing])).rejects.toThrow('broken step');
    expect(await ask(path, 'select version from schema_version')).toEqual([{ version: 1 }]);
    await (await stores.open(path)).close();
  });
});

it('data of a newer version is refused, and left as it was', async () => {
  const path = await oldData();
  await ask(path, 'update schema_version set version = 99');
  const query = 'select * from schema_version, settings, organizations, quotas, api_keys, connections, teams';
  const before = await ask(path, query);
  const opened = stores.open(path);
  await expect(opened).rejects.toThrow(ConfigError);
  await expect(opened).rejects.toThrow(
    'the data has schema version 99, but this program supports versions up to',
  );
  expect(before.length).toBeGreaterThan(0);
  expect(await ask(path, query)).toEqual(before);
});
