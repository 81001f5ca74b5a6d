import type { DeclaredResource } from '../../api/resources/index.js';
import { resources } from '../../api/resources/index.js';
import { type Resource, rowFieldOf } from '../../api/resources/resource.js';
import type { View } from '../../terminal/output/printer.js';
import type { BulkRow } from '../bulk.js';

/** What the verbs that all resources share need to know of one. */
export interface Noun {
  readonly resource: DeclaredResource;
  /** An ID for examples. */
  readonly exampleId: string;
  readonly view: View<Resource>;
  /** What distinguishes it besides its name, such as a connection's host. */
  readonly place?: (resource: Resource) => unknown;
}

/** The result for each resource to change or delete. */
export const changeView: View<BulkRow> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'RESULT', value: 'result' },
    { header: 'ERROR', value: 'error' },
  ],
  fields: ['code', ...resources.map(rowFieldOf)],
  example: { id: 'id_0', result: 'deleted' },
};
