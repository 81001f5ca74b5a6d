import type { View } from '../../terminal/printer.js';
import type { BulkRow } from '../bulk.js';

/** What became of each resource that was to be changed or deleted. */
export const changeView: View<BulkRow> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'RESULT', value: 'result' },
    { header: 'ERROR', value: 'error' },
  ],
  fields: ['code', 'connection', 'team', 'API key'],
  example: { id: 'id_0', result: 'deleted' },
};
