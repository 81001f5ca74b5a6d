import type { Transaction } from 'kysely';
import { composeContent } from './compose-content.js';
import type { Content, PlannedOrganization, Row } from './content.js';
import type { StorageContext } from './context.js';
import { readSetting, writeSetting } from './settings.js';
import type { Tables } from './tables.js';

/** Reads and replaces a store's whole content at once, each in one transaction. */
export class Contents {
  readonly #context: StorageContext;
  readonly #forgetAll: () => void;

  /** `forgetAll` makes whoever keeps what was read forget it. */
  constructor(context: StorageContext, forgetAll: () => void) {
    this.#context = context;
    this.#forgetAll = forgetAll;
  }

  /** What the store holds now. */
  read(): Promise<Content> {
    // Alone, since rows and counts that are read one after the other have to belong together.
    return this.#context.writeAlone(readContent, { isDone: () => Promise.resolve(true) });
  }

  /** Puts other content in place of all that is there. */
  async replace(content: Content): Promise<void> {
    try {
      await this.#context.writeAlone((transaction) => writeContent(transaction, content));
    } finally {
      this.#forgetAll();
    }
  }

  /** The content that new organizations make, as `replace` takes it. */
  compose(organizations: readonly PlannedOrganization[]): Content {
    const { cipher, now } = this.#context;
    return composeContent(organizations, cipher, now());
  }
}

async function readContent(transaction: Transaction<Tables>): Promise<Content> {
  const named = ['id', 'name', 'created_at'] as const;
  const owned = ['organization_id', ...named] as const;
  return {
    firstOrganization: await readSetting(transaction, 'first_organization'),
    firstKey: await readSetting(transaction, 'first_key'),
    rows: {
      organizations: await transaction
        .selectFrom('organizations')
        .select(named)
        .orderBy('sequence')
        .execute(),
      quotas: await transaction.selectFrom('quotas').selectAll().execute(),
      api_keys: await readKeys(transaction),
      connections: await readConnections(transaction),
      teams: await transaction
        .selectFrom('teams')
        .select([...owned, 'updated_at'])
        .orderBy('sequence')
        .execute(),
    },
  };
}

async function readKeys(transaction: Transaction<Tables>): Promise<Row<'api_keys'>[]> {
  const rows = await transaction
    .selectFrom('api_keys')
    .select(['id', 'organization_id', 'name', 'secret', 'enabled', 'last_used_at', 'created_at'])
    .orderBy('sequence')
    .execute();
  return rows.map((row) => ({ ...row, secret: new Uint8Array(row.secret) }));
}

async function readConnections(transaction: Transaction<Tables>): Promise<Row<'connections'>[]> {
  const rows = await transaction
    .selectFrom('connections')
    .select(['id', 'organization_id', 'name', 'type', 'config', 'created_at', 'updated_at'])
    .orderBy('sequence')
    .execute();
  return rows.map((row) => ({ ...row, config: new Uint8Array(row.config) }));
}

// What refers to another row goes before it, and comes after it.
async function writeContent(transaction: Transaction<Tables>, content: Content): Promise<void> {
  for (const table of ['teams', 'connections', 'api_keys', 'quotas', 'organizations'] as const) {
    await transaction.deleteFrom(table).execute();
  }
  const { organizations, quotas, api_keys, connections, teams } = content.rows;
  await inChunks(organizations, (rows) => transaction.insertInto('organizations').values(rows));
  await inChunks(quotas, (rows) => transaction.insertInto('quotas').values(rows));
  await inChunks(api_keys, (rows) => transaction.insertInto('api_keys').values(rows));
  await inChunks(connections, (rows) => transaction.insertInto('connections').values(rows));
  await inChunks(teams, (rows) => transaction.insertInto('teams').values(rows));
  await writeFirst(transaction, 'first_organization', content.firstOrganization);
  await writeFirst(transaction, 'first_key', content.firstKey);
}

function writeFirst(
  transaction: Transaction<Tables>,
  name: 'first_organization' | 'first_key',
  value: string | undefined,
): Promise<unknown> {
  if (value !== undefined) return writeSetting(transaction, name, value);
  return transaction.deleteFrom('settings').where('name', '=', name).execute();
}

/** Rows of one statement: few enough for the engines' limits on parameters, which begin at 32,766. */
const chunkSize = 100;

async function inChunks<Item>(
  rows: readonly Item[],
  insert: (chunk: readonly Item[]) => { execute(): Promise<unknown> },
): Promise<void> {
  for (let start = 0; start < rows.length; start += chunkSize) {
    await insert(rows.slice(start, start + chunkSize)).execute();
  }
}
