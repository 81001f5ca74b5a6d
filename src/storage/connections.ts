import { type SelectQueryBuilder, sql } from 'kysely';
import { type ConnectionInput, connections, shownConfig } from '../api/resources/connection.js';
import { resourceSchema } from '../api/resources/resource.js';
import { parseJson, printJson } from '../text/exact-json.js';
import type { Cipher } from './database/cipher.js';
import { compiledOnce } from './database/compiled-once.js';
import type { StorageContext } from './database/context.js';
import { resourceTables, type StoredBytes } from './database/tables.js';
import { additionalData, sealedColumns } from './encryption/sealed-columns.js';
import { computeMark, markOfConfig, openShown, sealShown } from './encryption/shown-settings.js';
import { listReader, type RowPageRequest } from './reading/list-page.js';
import { type Identified, Resources, type StoredResource, type Storing } from './resources.js';

export interface StoredConnection extends StoredResource {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly updated_at: string;
}

export type ShownConnection = StoredConnection;

/** A listed connection without its settings, which may take long to read; `findLarge` reads them. */
export interface LargeConnection {
  readonly id: string;
  readonly bytes: number;
}

export type ListedConnection = ShownConnection | LargeConnection;

export function isWhole(connection: ListedConnection): connection is ShownConnection {
  return !('bytes' in connection);
}

/** Maximum bytes of settings that a list reads per connection; a page has up to 100 connections. */
const largeShown = 4096;

/** Above this many bytes of `config`, a list omits the columns after it: SQLite would read all of `config` first. */
const separateConfig = 64 * 1024;

const bytesOfConfig = sql<number>`length(config)`;
const isSmall = sql<boolean>`length(config) <= ${sql.lit(separateConfig)}`;

type ConnectionRow = StoredResource &
  Pick<StoredConnection, 'type' | 'updated_at'> & { readonly config: StoredBytes };

interface SparseRow extends Pick<StoredConnection, 'id' | 'name' | 'type' | 'created_at'> {
  readonly updated_at: string | null;
  readonly mark: StoredBytes | null;
  readonly shown: StoredBytes | null;
  /** Only if the row has no `shown`: older versions did not write it, and a master key rotation clears it. */
  readonly config: StoredBytes | null;
  readonly bytes: number;
}

interface MissingConfig {
  readonly id: string;
  readonly sealed: StoredBytes;
  readonly config: StoredConnection['config'];
}

const sealedConfig = sealedColumns.connections;

type ConnectionTables = Readonly<Record<string, Record<string, unknown>>>;

const listedFields = ['id', 'name', 'type', 'created_at', 'updated_at'] as const;

function sparsely<Table extends string>(query: SelectQueryBuilder<ConnectionTables, Table, object>) {
  return query
    .select(['id', 'name', 'type', 'created_at', bytesOfConfig.as('bytes')])
    .select([
      sql`case when ${isSmall} then updated_at end`.as('updated_at'),
      sql`case when ${isSmall} then ${markOfConfig} end`.as('mark'),
      sql`case when ${isSmall} and length(shown) <= ${sql.lit(largeShown)} then shown end`.as('shown'),
      sql`case when length(config) <= ${sql.lit(largeShown)} and shown is null then config end`.as('config'),
    ])
    .$castTo<SparseRow>();
}

/** Seals all of `config`, because any field may be secret. Also seals a copy of the fields that responses show. */
export class StoredConnections extends Resources<ConnectionRow, StoredConnection, ConnectionInput> {
  readonly #context: StorageContext;
  readonly #sparsePage: (organizationId: string, page: RowPageRequest) => Promise<SparseRow[]>;
  readonly #sparseRow = compiledOnce<Identified, SparseRow>((database, parameter) =>
    sparsely(resourceTables(database).selectFrom('connections'))
      .where('id', '=', parameter('id'))
      .where('organization_id', '=', parameter('organizationId')),
  );

  constructor(context: StorageContext) {
    super(context, connections, storeConnections(context.cipher));
    this.#context = context;
    this.#sparsePage = listReader(context, 'connections', sparsely);
  }

  /** One page, oldest first; large connections have only ID and size. */
  async listShown(organizationId: string, page: RowPageRequest): Promise<ListedConnection[]> {
    return this.#listed(await this.#sparsePage(organizationId, page));
  }

  async findListed(organizationId: string, id: string): Promise<ListedConnection | undefined> {
    const { rows } = await this.#sparseRow(this.#context.database, { organizationId, id });
    const [listed] = await this.#listed(rows);
    return listed;
  }

  /** Slow if `shown` is missing or outdated: then all of `config` is decrypted. */
  async findLarge(organizationId: string, id: string): Promise<ShownConnection | undefined> {
    const row = await this.#context.database
      .selectFrom('connections')
      .select([...listedFields, markOfConfig.as('mark'), 'shown'])
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { mark, shown, ...fields } = row;
    const config = shown === null ? undefined : openShown(this.#context.cipher, id, shown, mark);
    return config === undefined ? this.#findOlder(organizationId, id) : { ...fields, config };
  }

  async configBytes(organizationId: string, id: string): Promise<number | undefined> {
    const row = await this.#context.database
      .selectFrom('connections')
      .select(bytesOfConfig.as('bytes'))
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return row?.bytes;
  }

  async #listed(rows: readonly SparseRow[]): Promise<ListedConnection[]> {
    const missing: MissingConfig[] = [];
    const { cipher } = this.#context;
    const listed = rows.map(({ mark, shown, config, bytes, updated_at, ...row }): ListedConnection => {
      const { id } = row;
      if (mark === null || updated_at === null) return { id, bytes };
      const fields = { ...row, updated_at };
      const known = shown === null ? undefined : openShown(cipher, id, shown, mark);
      if (known !== undefined) return { ...fields, config: known };
      if (config === null) return { id, bytes };
      const found = shownConfig(openConfig(cipher, id, config));
      missing.push({ id, sealed: config, config: found });
      return { ...fields, config: found };
    });
    if (missing.length > 0) await this.#add(missing);
    return listed;
  }

  async #findOlder(organizationId: string, id: string): Promise<ShownConnection | undefined> {
    const row = await this.#context.database
      .selectFrom('connections')
      .select([...listedFields, 'config'])
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const config = shownConfig(openConfig(this.#context.cipher, id, row.config));
    await this.#add([{ id, sealed: row.config, config }]);
    return { ...row, config };
  }

  /** Stores shown settings unless `config` has changed meanwhile. Best effort: a read-only store stays readable. */
  async #add(missing: readonly MissingConfig[]): Promise<void> {
    const { cipher } = this.#context;
    const adding = this.#context.write(
      undefined,
      async (transaction) => {
        for (const { id, sealed: whole, config } of missing) {
          await transaction
            .updateTable('connections')
            .set({ shown: sealShown(cipher, id, config, whole) })
            .where('id', '=', id)
            .where(markOfConfig, '=', computeMark(whole))
            .execute();
        }
      },
      { seals: true },
    );
    await adding.catch(() => undefined);
  }
}

function openConfig(cipher: Cipher, id: string, config: StoredBytes): StoredConnection['config'] {
  return resourceSchema.parse(parseJson(cipher.open(config, additionalData(sealedConfig, id))));
}

function storeConnections(cipher: Cipher): Storing<ConnectionRow, StoredConnection, ConnectionInput> {
  return {
    create: (id, { name, type, config }, now) => ({
      id,
      name,
      type,
      config,
      created_at: now,
      updated_at: now,
    }),
    toColumns(field, value, id) {
      if (field !== sealedConfig.column) return { [field]: value };
      const config = cipher.seal(printJson(value), additionalData(sealedConfig, id));
      return { config, shown: sealShown(cipher, id, resourceSchema.parse(value), config) };
    },
    fromRow: (row) => ({ ...row, config: openConfig(cipher, row.id, row.config) }),
  };
}
