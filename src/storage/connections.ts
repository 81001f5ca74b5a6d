import { type ConnectionInput, connections } from '../api/resources/connection.js';
import { resourceSchema } from '../api/resources/resource.js';
import { parseJson, printJson } from '../text/exact-json.js';
import type { Cipher } from './database/cipher.js';
import type { StorageContext } from './database/context.js';
import type { StoredBytes } from './database/tables.js';
import { additionalData, sealedColumns } from './encryption/sealed-columns.js';
import { Resources, type StoredResource, type Storing } from './resources.js';

export interface StoredConnection extends StoredResource {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
  readonly updated_at: string;
}

type ConnectionRow = StoredResource &
  Pick<StoredConnection, 'type' | 'updated_at'> & { readonly config: StoredBytes };

const sealedConfig = sealedColumns.connections;

/** Seals all of `config`, because any field may be secret. */
export class StoredConnections extends Resources<ConnectionRow, StoredConnection, ConnectionInput> {
  constructor(context: StorageContext) {
    super(context, connections, storeConnections(context.cipher));
  }
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
      return { [field]: cipher.seal(printJson(value), additionalData(sealedConfig, id)) };
    },
    fromRow: (row) => ({
      ...row,
      config: resourceSchema().parse(
        parseJson(cipher.open(row.config, additionalData(sealedConfig, row.id))),
      ),
    }),
  };
}
