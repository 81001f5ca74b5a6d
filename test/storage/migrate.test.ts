import { readdirSync } from 'node:fs';
import { copyFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { CompiledQuery, Kysely, sql } from 'kysely';
import { describe, expect, inject, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import type { Tables } from '../../src/storage/database/tables.js';
import type { Engine } from '../../src/storage/engine/engine.js';
import { type Migration, migrate } from '../../src/storage/migrate.js';
import { createResources } from '../../src/storage/migrations/0001-resources.js';
import { createResourceTable } from '../../src/storage/migrations/new-resource.js';
import { execute } from '../support/databases.js';
import { useStores } from './support/open-store.js';

const stores = useStores();
const at = '2026-01-02T03:04:05.678Z';

const fixtures = join(import.meta.dirname, '..', 'fixtures');
const released = readdirSync(fixtures).filter((name) => /^\d/.test(name));

/** A database as a released version left it, which was another program text for each engine. */
async function releasedData(version: string): Promise<string> {
  const place = await stores.place();
  if (inject('engine') === 'embedded') await copyFile(join(fixtures, version, 'data', 'orgctl.db'), place);
  else await execute(place, await readFile(join(fixtures, version, 'database.sql'), 'utf8'));
  return place;
}

/** A database with the first schema, and an organization with one team. */
async function oldData(): Promise<string> {
  const place = await stores.place();
  await migrateWith(place, [createResources]);
  const own = { organization_id: 'org_1', created_at: at };
  await withDatabase(place, async (database) => {
    await database.insertInto('organizations').values({ id: 'org_1', name: 'a', created_at: at }).execute();
    const team = { ...own, id: 'team_1', name: 'a team', updated_at: at };
    await database.insertInto('teams').values(team).execute();
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

function migrateWith(place: string, steps?: readonly Migration[]): Promise<void> {
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
  it.each(released)('comes to have the schema of new data: %s', async (version) => {
    const [old, fresh] = [await releasedData(version), await stores.place()];
    for (const place of [old, fresh]) await migrateWith(place);
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
    await migrateWith(path, [createResources, addColumn]);
  });
});

it('data of a newer version is refused, and left as it was', async () => {
  const path = await oldData();
  await ask(path, 'update schema_version set version = 99');
  const query = 'select * from schema_version, organizations, teams';
  const before = await ask(path, query);
  const opened = stores.open(path);
  await expect(opened).rejects.toThrow(ConfigError);
  await expect(opened).rejects.toThrow(
    'the data has schema version 99, but this program supports versions up to',
  );
  expect(before.length).toBeGreaterThan(0);
  expect(await ask(path, query)).toEqual(before);
});
