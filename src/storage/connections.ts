import { type SelectQueryBuilder, sql } from 'kysely';
import { type ConnectionInput, connections, shownConfig } from '../api/resources/connection.js';
import { asResource } from '../api/resources/resource.js';
import { parseJson, printJson } from '../text/exact-json.js';
import type { Cipher } from './database/cipher.js';
import { compiledOnce } from './database/compiled-once.js';
import type { StorageContext } from './database/context.js';
import { resourceTables, type StoredBytes } from './database/tables.js';
import {
  additionalData,
  type SealedColumn,
  sealedColumns,
  shownColumn,
} from './encryption/sealed-columns.js';
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

type ConnectionRow = StoredResource &
  Pick<StoredConnection, 'type' | 'updated_at'> & { readonly config: StoredBytes };

interface SparseRow extends Pick<StoredConnection, (typeof listedFields)[number]> {
  /** Absent if it is large. */
  readonly shown: StoredBytes | null;
  readonly bytes: number;
}

const sealedConfig = sealedColumns.connections;

type ConnectionTables = Readonly<Record<string, Record<string, unknown>>>;

const listedFields = ['id', 'name', 'type', 'created_at', 'updated_at'] as const;

function sparsely<Table extends string>(query: SelectQueryBuilder<ConnectionTables, Table, object>) {
  return query
    .select([...listedFields, sql<number>`length(shown)`.as('bytes')])
    .select(sql`case when length(shown) <= ${sql.lit(largeShown)} then shown end`.as('shown'))
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
    return (await this.#sparsePage(organizationId, page)).map((row) => this.#toListed(row));
  }

  async findListed(organizationId: string, id: string): Promise<ListedConnection | undefined> {
    const { rows } = await this.#sparseRow(this.#context.database, { organizationId, id });
    const [row] = rows;
    return row && this.#toListed(row);
  }

  async findLarge(organizationId: string, id: string): Promise<ShownConnection | undefined> {
    const row = await this.#context.database
      .selectFrom('connections')
      .select([...listedFields, 'shown'])
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    const { shown, ...fields } = row;
    return { ...fields, config: openConfig(this.#context.cipher, shownColumn, id, shown) };
  }

  async configBytes(organizationId: string, id: string): Promise<number | undefined> {
    const row = await this.#context.database
      .selectFrom('connections')
      .select(sql<number>`length(config)`.as('bytes'))
      .where('id', '=', id)
      .where('organization_id', '=', organizationId)
      .executeTakeFirst();
    return row?.bytes;
  }

  #toListed({ shown, bytes, ...fields }: SparseRow): ListedConnection {
    const { id } = fields;
    if (shown === null) return { id, bytes };
    return { ...fields, config: openConfig(this.#context.cipher, shownColumn, id, shown) };
  }
}

function openConfig(
  cipher: Cipher,
  column: SealedColumn,
  id: string,
  sealed: StoredBytes,
): StoredConnection['config'] {
  return asResource(parseJson(cipher.open(sealed, additionalData(column, id))));
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
      const shown = shownConfig(asResource(value));
      return {
        shown: cipher.seal(printJson(shown), additionalData(shownColumn, id)),
        config: cipher.seal(printJson(value), additionalData(sealedConfig, id)),
      };
    },
    fromRow: (row) => ({ ...row, config: openConfig(cipher, sealedConfig, row.id, row.config) }),
  };
}
