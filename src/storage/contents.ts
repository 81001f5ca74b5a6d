import type { Kysely } from 'kysely';
import { resources } from '../api/resources/index.js';
import type { Engine } from './engine.js';
import type { ResourceFields } from './resources.js';
import { readSetting, resourceTables, type Tables, writeSetting } from './tables.js';

/** Referenced tables first. */
const tables = ['organizations', 'quotas', ...resources.map(({ table }) => table)] as const;

const firsts = ['first_organization', 'first_key'] as const;

/** Fills empty tables, in the caller's write. */
export type Filling = (database: Kysely<Tables>) => Promise<unknown>;

export function contentsOf(engine: Engine, forgetAll: () => void) {
  return {
    /** Returns what restores the present content. Sealed values stay sealed. */
    read: (): Promise<Filling> =>
      engine.readSnapshot(async (database) => {
        const rows = new Map<(typeof tables)[number], readonly ResourceFields[]>();
        for (const table of tables) rows.set(table, await readRows(database, table));
        const settings = new Map<(typeof firsts)[number], string | undefined>();
        for (const first of firsts) settings.set(first, await readSetting(database, first));
        return async (empty) => {
          for (const [table, content] of rows) await writeRows(empty, table, content);
          for (const [first, value] of settings) await writeSetting(empty, first, value);
        };
      }),

    /** Replaces all content, all or nothing. */
    replace: (fill: Filling): Promise<void> =>
      engine
        .writeAlone(async (transaction) => {
          for (const table of tables.toReversed()) await transaction.deleteFrom(table).execute();
          for (const first of firsts) await writeSetting(transaction, first, undefined);
          await fill(transaction);
        })
        .finally(forgetAll),
  };
}

/** In creation order. Omits `sequence`, which the database generates again. */
async function readRows(database: Kysely<Tables>, table: (typeof tables)[number]): Promise<ResourceFields[]> {
  const query = resourceTables(database).selectFrom(table).selectAll();
  const inOrder = query.$if(table !== 'quotas', (all) => all.orderBy('sequence'));
  const rows: ResourceFields[] = await inOrder.execute();
  return rows.map(({ sequence: _place, ...columns }) => columns);
}

/** Rows per statement: every database accepts at least 32,766 parameters. */
const chunkSize = 100;

async function writeRows(
  database: Kysely<Tables>,
  table: string,
  rows: readonly ResourceFields[],
): Promise<void> {
  const inserting = resourceTables(database).insertInto(table);
  for (let left = rows; left.length > 0; left = left.slice(chunkSize))
    await inserting.values(left.slice(0, chunkSize)).execute();
}
