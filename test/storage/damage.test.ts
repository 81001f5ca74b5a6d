import { readFile, writeFile } from 'node:fs/promises';
import Database from 'libsql';
import { describe, expect, inject, it } from 'vitest';
import { ConfigError } from '../../src/errors/errors.js';
import { digestName } from '../../src/storage/sqlite/schema-digest.js';
import { ample, useStores } from './support/open-store.js';

const stores = useStores();

/** The place of a store with a key, two teams and a connection. */
async function used(): Promise<string> {
  const place = await stores.place();
  const store = await stores.open(place);
  const { organizationId } = await store.organizations.createFirst('acme', ample, { name: 'first' });
  await store.resources.teams.create(organizationId, { name: 'platform' });
  await store.resources.teams.create(organizationId, { name: 'operators' });
  await store.resources.connections.create(organizationId, { name: 'main', type: 'x', config: { a: 1 } });
  await store.close();
  return place;
}

function change(place: string, ...statements: readonly string[]): void {
  const database = new Database(place);
  for (const statement of statements) database.exec(statement);
  database.close();
}

type Damage = (place: string) => void | Promise<void>;

const byStatements =
  (...statements: readonly string[]): Damage =>
  (place) =>
    change(place, ...statements);

/** Changes bytes behind the back of the database, once. */
function overwriting(from: string, to: string | Buffer): Damage {
  return async (place) => {
    const bytes = await readFile(place);
    const at = bytes.indexOf(from);
    expect(at).toBeGreaterThan(-1);
    bytes.set(Buffer.from(to), at);
    await writeFile(place, bytes);
  };
}

const halve: Damage = async (place) => writeFile(place, (await readFile(place)).subarray(0, 8192));
const noUtf8 = "update teams set name = cast(x'ff41' as text)";
const noText = "update teams set name = x'41'";
/** So many teams that they are not read at once. */
const manyTeams = `with recursive n(i) as (select 1 union all select i + 1 from n where i < 1200)
  insert into teams (id, organization_id, name, created_at, updated_at)
  select 'team_' || i, organization_id, 'n' || i, created_at, updated_at from n, (select * from teams limit 1)`;
const counted = "update quotas set used = (select count(*) from teams) where kind = 'teams'";
const lastNoUtf8 = `${noUtf8} where id = 'team_1200'`;
const miscount = "update quotas set used = 7 where kind = 'teams'";
const orphans = ['pragma foreign_keys = off', 'delete from organizations'];

describe.runIf(inject('engine') === 'embedded')('data that was damaged on the disk is refused', () => {
  it.each<[string, RegExp, Damage]>([
    ['a byte that is not UTF-8', /missing from index|invalid UTF-8/, overwriting('platform', Buffer.of(255))],
    ['one in row and index', /teams: invalid UTF-8/, byStatements(noUtf8)],
    ['one after many rows', /teams: invalid UTF-8/, byStatements(manyTeams, counted, lastNoUtf8)],
    ['a name that became another one', /missing from index/, overwriting('platform', 'platfork')],
    ['a value of another type', /teams: 2 rows with a value whose type differs/, byStatements(noText)],
    ['a wrong count', /teams .* counts 7, but there are 2/, byStatements(miscount)],
    ['an organization that is gone', /rows? whose organization is missing/, byStatements(...orphans)],
    ['another schema', /schema was altered/, byStatements('create table other (a text)')],
    ['a schema with rubbish in it', /is damaged/, overwriting('CREATE TABLE', Buffer.of(255, 254, 128))],
    ['no database at all', /file is not a database/, overwriting('SQLite format 3', 'rubbish format 3')],
    ['half of it', /is damaged/, halve],
  ])('%s', async (_what, message, damage) => {
    const place = await used();
    await damage(place);
    const opened = stores.open(place);
    await expect(opened).rejects.toThrow(ConfigError);
    await expect(opened).rejects.toThrow(message);
  });

  it("and a column's type enters no query unless it is a plain word", async () => {
    const place = await used();
    change(
      place,
      `delete from settings where name = '${digestName}'`,
      `create table other (a "x'y", b text)`,
      `insert into other values (1, 'whole')`,
    );
    await expect((await stores.open(place)).close()).resolves.toBeUndefined();
  });

  it('and what is encrypted is not answered once it cannot be opened', async () => {
    const place = await used();
    change(place, 'update connections set config = zeroblob(length(config))');
    const store = await stores.open(place);
    const key = await store.organizations.firstKey();
    const list = store.resources.connections.list(key?.organizationId ?? '', { page: 1, limit: 10 });
    await expect(list).rejects.toThrow(/connections\.config conn_\w+ is damaged/);
  });
});
