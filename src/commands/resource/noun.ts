import { type DeclaredResource, resources } from '../../api/resources/index.js';
import { type Resource, toRowField } from '../../api/resources/resource.js';
import { argument } from '../../cli/command.js';
import type { View } from '../../terminal/output/printer.js';
import type { BulkRow } from './bulk.js';

export interface Noun {
  readonly resource: DeclaredResource;
  readonly exampleName: string;
  readonly view: View<Resource>;
  /** Where the resource is, such as a connection's host; shown beside the name. */
  readonly place?: (resource: Resource) => unknown;
}

export function idsOrNames({ singular }: DeclaredResource) {
  return argument('<id-or-name...>', `ID or exact name of the ${singular}`);
}

export const changeView: View<BulkRow> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'RESULT', value: 'result', rank: 1 },
    { header: 'ERROR', value: 'error', rank: 2, wraps: true },
  ],
  fields: ['code', ...resources.map(toRowField)],
};
