import { type Selectable, sql } from 'kysely';
import { parseJson, printJson } from '../contract/exact-json.js';
import { resourceSchema } from '../contract/resource.js';
import { type ConnectionInput, connections } from '../contract/resources/connection.js';
import type { Cipher } from './cipher.js';
import type { StorageContext } from './context.js';
import { listReader, type PageRequest } from './list-page.js';
import { Resources, type StoredResource, type Storing } from './resources.js';
import { additionalData, sealedColumns } from './sealed-columns.js';
import type { Tables } from './tables.js';

/** A connection as it is stored: `config` whole, with its password. */
export interface Connection extends StoredResource {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly updated_at: string;
}

/** A listed connection whose settings are too large for a page: it has to be read separately. */
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

type Row = StoredResource & Pick<Selectable<Tables['connections']>, 'type' | 'config' | 'updated_at'>;

const sealed = sealedColumns.connections;

/** The connections of each organization. The whole of `config` is sealed: types beside PostgreSQL's have secrets of any name. */
export class Connections extends Resources<Row, Connection, ConnectionInput> {
  readonly #storing: Storing<Row, Connection, ConnectionInput>;
  readonly #sparsePage: (organizationId: string, page: PageRequest) => Promise<SparseRow[]>;

  constructor(context: StorageContext) {
    const stored = storing(context.cipher);
    super(context, connections, stored);
    this.#storing = stored;
    this.#sparsePage = listReader(context, 'connections', (query) =>
      query
        .select(['id', 'name', 'type', 'created_at', 'updated_at', bytesOfConfig.as('bytes')])
        .select((column) =>
          column.case().when(bytesOfConfig, '<=', largeBytes).then(column.ref('config')).end().as('config'),
        )
        .$castTo<SparseRow>(),
    );
  }

  /** One page, oldest first; of large connections only what they are found by. */
  async listSparingly(organizationId: string, page: PageRequest): Promise<ListedConnection[]> {
    const rows = await this.#sparsePage(organizationId, page);
    return rows.map(({ config, bytes, ...row }) =>
      config === null ? { id: row.id, bytes } : this.#storing.fromRow({ ...row, config }),
    );
  }
}

/** A row whose settings are left out where they are large. */
interface SparseRow {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly config: Row['config'] | null;
  readonly bytes: number;
}

function storing(cipher: Cipher): Storing<Row, Connection, ConnectionInput> {
  return {
    create: (id, { name, type, config }, now) => ({
      id,
      name,
      type,
      config,
      created_at: now,
      updated_at: now,
    }),
    toColumn: (field, value, id) =>
      field === sealed.column ? cipher.seal(printJson(value), additionalData(sealed, id)) : value,
    fromRow(row) {
      const config = cipher.open(row.config, additionalData(sealed, row.id));
      return { ...row, config: resourceSchema.parse(parseJson(config)) };
    },
  };
}
