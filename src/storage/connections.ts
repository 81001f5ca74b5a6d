import { type Insertable, type Kysely, type Selectable, sql } from 'kysely';
import type { ConnectionInput } from '../contract/connection.js';
import { parseJson, printJson } from '../contract/exact-json.js';
import { resourceSchema } from '../contract/resource.js';
import { compiledOnce } from './compiled-once.js';
import type { StorageContext } from './context.js';
import { newIdentifier } from './identifier.js';
import { isChanged, isGone, isMade } from './is-done.js';
import { offsetOf, type PageRequest } from './page.js';
import { releasePlace, takePlace } from './quotas.js';
import type { Tables } from './tables.js';

/** A connection as it is stored: `config` whole, with its password. */
export interface Connection {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly created_at: string;
  readonly updated_at: string;
}

/** A connection in a list whose settings are so large that a page of such would be a burden: it is to be found alone. */
export interface LargeConnection {
  readonly id: string;
  /** The length of its settings. */
  readonly bytes: number;
}

export type ListedConnection = Connection | LargeConnection;

/** Whether a connection in a list is there with its settings. */
export function isWhole(connection: ListedConnection): connection is Connection {
  return !('bytes' in connection);
}

/** Bytes of sealed settings up to which a list has them: a page has up to 100 connections. */
const largeBytes = 4096;

const bytesOfConfig = sql<number>`length(config)`;

const fields = ['id', 'name', 'type', 'config', 'created_at', 'updated_at'] as const;
type Row = Pick<Selectable<Tables['connections']>, (typeof fields)[number]>;

const insertConnection = compiledOnce<Insertable<Tables['connections']>>((database, parameter) =>
  database.insertInto('connections').values({
    id: parameter('id'),
    organization_id: parameter('organization_id'),
    name: parameter('name'),
    type: parameter('type'),
    config: parameter('config'),
    created_at: parameter('created_at'),
    updated_at: parameter('updated_at'),
  }),
);

/** The connections of each organization. The whole of `config` is sealed: types beside PostgreSQL's have secrets of any name. */
export class Connections {
  readonly #context: StorageContext;

  constructor(context: StorageContext) {
    this.#context = context;
  }

  /** One page, oldest first; of large connections only what they are found by. */
  async list(organizationId: string, page: PageRequest): Promise<ListedConnection[]> {
    const rows = await this.#context.database
      .selectFrom('connections')
      .select(['id', 'name', 'type', 'created_at', 'updated_at', bytesOfConfig.as('bytes')])
      .select((column) =>
        column.case().when(bytesOfConfig, '<=', largeBytes).then(column.ref('config')).end().as('config'),
      )
      .where('organization_id', '=', organizationId)
      .orderBy('sequence')
      .limit(page.limit)
      .offset(offsetOf(page))
      .execute();
    return rows.map(({ config, bytes, ...row }) =>
      config === null ? { id: row.id, bytes } : this.#unseal({ ...row, config }),
    );
  }

  async find(organizationId: string, id: string): Promise<Connection | undefined> {
    const row = await this.#context.database
      .selectFrom('connections')
      .select(fields)
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return row && this.#unseal(row);
  }

  /** @throws QuotaExceeded when the organization may have no more connections. */
  create(organizationId: string, { name, type, config }: ConnectionInput): Promise<Connection> {
    const now = this.#context.now();
    const connection = { id: newIdentifier('conn'), name, type, config, created_at: now, updated_at: now };
    const sealed = this.#seal(connection.id, config);
    return this.#context.write(
      organizationId,
      async (transaction) => {
        await insertConnection(transaction, {
          ...connection,
          config: sealed,
          organization_id: organizationId,
        });
        await takePlace(transaction, organizationId, 'connections');
        return connection;
      },
      { isDone: isMade('connections', connection.id), seals: true },
    );
  }

  /**
   * Changes a connection to what `change` makes of it; nothing is changed when `change` throws. The first update only
   * locks the row, so that two changes at once do not lose one another's fields.
   */
  update(
    organizationId: string,
    id: string,
    change: (current: Connection) => ConnectionInput,
  ): Promise<Connection | undefined> {
    let sealed: Buffer = Buffer.alloc(0);
    return this.#context.write(
      organizationId,
      async (transaction) => {
        const row = await transaction
          .updateTable('connections')
          .set({ updated_at: this.#context.now() })
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returning(fields)
          .executeTakeFirst();
        if (row === undefined) return undefined;
        const { name, type, config } = change(this.#unseal(row));
        sealed = this.#seal(id, config);
        await transaction
          .updateTable('connections')
          .set({ name, type, config: sealed })
          .where('id', '=', id)
          .execute();
        return { ...row, name, type, config };
      },
      { isDone: isChanged((database) => isSealedAs(database, id, sealed)) },
    );
  }

  /** Whether there was such a connection. */
  delete(organizationId: string, id: string): Promise<boolean> {
    return this.#context.write(
      organizationId,
      async (transaction) => {
        const deleted = await transaction
          .deleteFrom('connections')
          .where('id', '=', id)
          .where('organization_id', '=', organizationId)
          .returning('id')
          .executeTakeFirst();
        if (deleted === undefined) return false;
        await releasePlace(transaction, organizationId, 'connections');
        return true;
      },
      { isDone: isGone('connections', id) },
    );
  }

  #seal(id: string, config: Readonly<Record<string, unknown>>): Buffer {
    return this.#context.cipher.seal(printJson(config), placeOfConfig(id));
  }

  #unseal(row: Row): Connection {
    const config = this.#context.cipher.open(row.config, placeOfConfig(row.id));
    return { ...row, config: resourceSchema.parse(parseJson(config)) };
  }
}

/** Whether these are the sealed settings of a connection: nothing is sealed twice to the same bytes. */
async function isSealedAs(database: Kysely<Tables>, id: string, sealed: Buffer): Promise<boolean> {
  const query = database.selectFrom('connections').select('config').where('id', '=', id);
  const row = await query.executeTakeFirst();
  return row !== undefined && sealed.equals(new Uint8Array(row.config));
}

/** Where the settings of a connection are sealed for. */
export function placeOfConfig(id: string): string {
  return `connections.config ${id}`;
}
