import type { Resource } from '../../contract/resource.js';
import type { View } from '../../terminal/printer.js';
import type { BulkRow } from '../bulk.js';

export const connectionView: View<Resource> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'NAME', value: 'name' },
    { header: 'TYPE', value: 'type' },
    { header: 'HOST', value: 'config.host' },
    { header: 'PORT', value: 'config.port', align: 'right' },
    { header: 'DATABASE', value: 'config.database' },
    { header: 'USER', value: 'config.user' },
    { header: 'SSL', value: 'config.ssl' },
    { header: 'CREATED', value: 'created_at' },
  ],
  empty: 'no connections',
  fields: ['config', 'updated_at'],
  example: { id: 'conn_0', name: 'example' },
};

/** A request that `--dry-run` did not send. */
export interface PlannedRequest {
  readonly method: string;
  readonly target: string;
  readonly body: unknown;
}

export const plannedRequestView: View<PlannedRequest> = {
  columns: [
    { header: 'METHOD', value: 'method' },
    { header: 'TARGET', value: 'target' },
    { header: 'BODY', value: 'body' },
  ],
  empty: 'nothing to create',
  fields: ['body'],
  example: { method: 'POST', target: '/connections', body: {} },
};

/** What became of each connection of a list. */
export const creationView: View<BulkRow> = {
  columns: [
    { header: 'NAME', value: 'name' },
    { header: 'RESULT', value: 'result' },
    { header: 'ID', value: 'id' },
    { header: 'ERROR', value: 'error' },
  ],
  empty: 'no connections to create',
  fields: ['code', 'connection'],
  example: { name: 'example', result: 'created' },
};
