import { type DeclaredResource, resources } from '../../api/resources/index.js';
import { type Resource, toRowField } from '../../api/resources/resource.js';
import { argument, group } from '../../cli/command.js';
import type { CommandExample } from '../../cli/help-text.js';
import type { Define, LazyCommand } from '../../cli/lazy-command.js';
import type { View } from '../../terminal/output/printer.js';
import type { BulkRow } from './bulk.js';

/** What the commands of one kind of resource need to know about it. */
export interface Noun {
  readonly resource: DeclaredResource;
  readonly exampleName: string;
  readonly view: View<Resource>;
  /** Where the resource is, such as a connection's host; shown beside the name. */
  readonly place?: (resource: Resource) => unknown;
}

interface NounCommand extends Noun {
  readonly description: string;
  readonly examples: readonly CommandExample[];
  readonly create: LazyCommand;
  readonly update: LazyCommand;
  /** Default: the plural. */
  readonly listed?: string;
}

/** The five verbs of a noun. Each loads its code when it is typed. */
export function resourceCommand({
  description,
  examples,
  create,
  update,
  listed,
  ...noun
}: NounCommand): Define {
  const { plural } = noun.resource;
  const verbs: readonly LazyCommand[] = [
    {
      name: 'list',
      summary: `list ${listed ?? plural}`,
      load: async () => (await import('./list.js')).listVerb(noun),
    },
    {
      name: 'get',
      summary: `show ${plural} by ID or name`,
      load: async () => (await import('./get.js')).getVerb(noun),
    },
    create,
    update,
    {
      name: 'delete',
      summary: `delete ${plural}`,
      load: async () => (await import('./delete.js')).deleteVerb(noun),
    },
  ];
  return group({ description, examples, verbs });
}

export function idsOrNames({ singular }: DeclaredResource) {
  return argument('<id-or-name...>', `ID or exact name of the ${singular}`);
}

/** Rows of a bulk change. */
export const changeView: View<BulkRow> = {
  columns: [
    { header: 'ID', value: 'id' },
    { header: 'RESULT', value: 'result', rank: 1 },
    { header: 'ERROR', value: 'error', rank: 2, wraps: true },
  ],
  fields: ['code', ...resources.map(toRowField)],
  example: { id: 'id_0', result: 'deleted' },
};
