import { type ConnectionInput, connections } from '../api/resources/connection.js';
import { resourceSchema } from '../api/resources/resource.js';
import { parseJson, printJson } from '../text/exact-json.js';
import type { StorageContext } from './context.js';
import { type StoredBytes, sealedColumns } from './database/tables.js';
import type { QuotaReader } from './reading/quotas.js';
import { Resources, type StoredResource } from './resources.js';

export interface StoredConnection extends StoredResource {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly updated_at: string;
}

type ConnectionRow = StoredResource &
  Pick<StoredConnection, 'type' | 'updated_at'> & { readonly config: StoredBytes };

/** Seals all of `config`, because any field may be secret. */
export class StoredConnections extends Resources<ConnectionRow, StoredConnection, ConnectionInput> {
  constructor(context: StorageContext, quotas: QuotaReader) {
    super(context, quotas, connections, {
      create: (id, { name, type, config }, now) => ({
        id,
        name,
        type,
        config,
        created_at: now,
        updated_at: now,
      }),
      toColumns({ config, ...fields }, id) {
        if (config === undefined) return fields;
        return { ...fields, config: context.seal(printJson(config), sealedColumns.connections, id) };
      },
      fromRow(row) {
        const config = parseJson(context.open(row.config, sealedColumns.connections, row.id));
        return { ...row, config: resourceSchema().parse(config) };
      },
    });
  }
}
