import type { Resource } from '../../contract/resource.js';
import type { DeclaredResource } from '../../contract/resources/index.js';
import { resources } from '../../contract/resources/index.js';
import { UsageError } from '../../errors.js';
import type { View } from '../../terminal/printer.js';
import type { BulkRow } from '../bulk.js';

/** What the verbs that all resources share need to know of one. */
export interface Noun {
  readonly resource: DeclaredResource;
  /** An ID for examples. */
  readonly exampleId: string;
  readonly view: View<Resource>;
}

/** What became of each resource that was to be changed or deleted. */
export const changeView: View<BulkRow> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'RESULT', value: 'result' },
    { header: 'ERROR', value: 'error' },
  ],
  fields: ['code', ...resources.map(({ singular }) => singular)],
  example: { id: 'id_0', result: 'deleted' },
};

/**
 * IDs from the command line, each once. Any text can be one and is percent-encoded on its way, except what would lead
 * to another path: nothing at all, `.` and `..`, which clients and proxies resolve (RFC 3986, section 5.2.4).
 *
 * @throws UsageError naming the one that cannot be an ID
 */
export function parseIdentifiers(ids: readonly string[]): readonly string[] {
  return [...new Set(ids.map(parseIdentifier))];
}

/** One ID. @throws UsageError when the text cannot be one */
export function parseIdentifier(id: string): string {
  if (id !== '' && id !== '.' && id !== '..' && !/\p{Surrogate}/u.test(id)) return id;
  throw new UsageError(`${JSON.stringify(id)} cannot be an ID`, {
    hint: 'the list shows the IDs; is a variable of the script empty?',
  });
}
