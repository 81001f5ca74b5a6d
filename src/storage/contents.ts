import type { Kysely } from 'kysely';
import { resources } from '../api/resources/index.js';
import type { Engine } from './engine.js';
import type { ResourceFields } from './resources.js';
import { readSetting, resourceTables, type Tables, writeSetting } from './tables.js';

/** Parents first. */
const tables = ['organizations', 'quotas', ...resources.map(({ table }) => table)] as const;

const firsts = ['first_organization', 'first_key'] as const;

/** Rows by table, in creation order. Sealed values stay sealed. */
export interface StoredContent {
  readonly rows: Readonly<Record<string, readonly ResourceFields[]>>;
  readonly settings: Readonly<Record<string, string | undefined>>;
}

export type Filling = (database: Kysely<Tables>) => Promise<unknown>;

export class Contents {
  readonly #engine: Engine;
  readonly #forgetAll: () => void;

  constructor(engine: Engine, forgetAll: () => void) {
    this.#engine = engine;
    this.#forgetAll = forgetAll;
  }

  read(): Promise<StoredContent> {
    return this.#engine.readSnapshot(async (database) => {
      const rows: Record<string, readonly ResourceFields[]> = {};
      for (const table of tables) rows[table] = await readRows(database, table);
      const settings: Record<string, string | undefined> = {};
      for (const first of firsts) settings[first] = await readSetting(database, first);
      return { rows, settings };
    });
  }

  /** Replaces all content, all or nothing. */
  async replace(content: StoredContent | Filling): Promise<void> {
    const fill =
      typeof content === 'function' ? content : (own: Kysely<Tables>) => writeContent(own, content);
    const replaced = this.#engine.writeAlone(async (transaction) => {
      for (const table of tables.toReversed()) await transaction.deleteFrom(table).execute();
      for (const first of firsts) await writeSetting(transaction, first, undefined);
      await fill(transaction);
    });
    await replaced.finally(this.#forgetAll);
  }
}

/** Omits `sequence`, which the database generates again. */
async function readRows(database: Kysely<Tables>, table: (typeof tables)[number]): Promise<ResourceFields[]> {
  const query = resourceTables(database).selectFrom(table).selectAll();
  const inOrder = query.$if(table !== 'quotas', (all) => all.orderBy('sequence'));
  const rows: ResourceFields[] = await inOrder.execute();
  const toBytes = (value: unknown) => (value instanceof ArrayBuffer ? new Uint8Array(value) : value);
  return rows.map(({ sequence: _place, ...columns }) =>
    Object.fromEntries(Object.entries(columns).map(([column, value]) => [column, toBytes(value)])),
  );
}

/** Rows per statement: every database accepts at least 32,766 parameters. */
const chunkSize = 100;

async function writeContent(database: Kysely<Tables>, { rows, settings }: StoredContent): Promise<void> {
  for (const table of tables) {
    const inserting = resourceTables(database).insertInto(table);
    for (let left = rows[table] ?? []; left.length > 0; left = left.slice(chunkSize))
      await inserting.values(left.slice(0, chunkSize)).execute();
  }
  for (const first of firsts) await writeSetting(database, first, settings[first]);
}
