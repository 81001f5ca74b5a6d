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

/** Changes bytes behind the back of the database, once. */
async function overwrite(place: string, from: string, to: string | Buffer): Promise<void> {
  const bytes = await readFile(place);
  const at = bytes.indexOf(from);
  expect(at).toBeGreaterThan(-1);
  bytes.set(Buffer.from(to), at);
  await writeFile(place, bytes);
}

describe.runIf(inject('engine') === 'embedded')('data that was damaged on the disk is refused', () => {
  const cases: readonly (readonly [string, RegExp, (place: string) => void | Promise<void>])[] = [
    [
      'a byte that is not UTF-8',
      /missing from index|invalid UTF-8/,
      (place) => overwrite(place, 'platform', Buffer.from([0xff])),
    ],
    [
      'a byte that is not UTF-8, in row and index',
      /teams: invalid UTF-8/,
      (place) => change(place, "update teams set name = cast(x'ff41' as text)"),
    ],
    [
      'a name that became another one',
      /missing from index/,
      (place) => overwrite(place, 'platform', 'platfork'),
    ],
    [
      'a value of another type',
      /teams: 2 rows with a value whose type differs from the column's/,
      (place) => change(place, "update teams set name = x'41'"),
    ],
    [
      'a count that is not what is there',
      /the quota of teams .* counts 7, but there are 2/,
      (place) => change(place, "update quotas set used = 7 where kind = 'teams'"),
    ],
    [
      'a row of an organization that is gone',
      /rows? of a missing organization/,
      (place) => change(place, 'pragma foreign_keys = off', 'delete from organizations'),
    ],
    [
      'a schema that was changed',
      /schema was altered/,
      (place) => change(place, 'create table other (a text)'),
    ],
    [
      'a schema with rubbish in it',
      /is damaged/,
      (place) => overwrite(place, 'CREATE TABLE', Buffer.from([0xff, 0xfe, 0x80])),
    ],
    [
      'no database at all',
      /file is not a database/,
      (place) => overwrite(place, 'SQLite format 3', 'rubbish format 3'),
    ],
    [
      'half of it',
      /is damaged/,
      async (place) => writeFile(place, (await readFile(place)).subarray(0, 8192)),
    ],
  ];

  it.each(cases)('%s', async (_what, message, damage) => {
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
