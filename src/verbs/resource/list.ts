import type { Command } from '@commander-js/extra-typings';
import type { Resource } from '../../api/resources/resource.js';
import { pageSize } from '../../api/schema/envelope.js';
import type { Context } from '../../cli/context.js';
import { notInReference, ownCommand, withExamples } from '../../cli/help-text.js';
import { readDeletionMark } from '../../client/reading/deletion-mark.js';
import { countNoun } from '../../text/count-noun.js';
import { type ListCounts, type ListOptions, onePage, pageRequest, takeAllPages } from '../pages.js';
import { describeShortList } from '../quotas/short-list.js';
import {
  combineFilters,
  FilteredRows,
  type FilterOptions,
  type ListFilter,
  parseSort,
} from './list-filter.js';
import type { ResourceCommand } from './resource-command.js';

export function listVerb({ resource, view }: ResourceCommand, filters: readonly ListFilter[] = []) {
  const { kind, plural, calls } = resource;
  const isOurs = calls.list !== 'ref';
  // If the whole command is not in the API reference, `ownCommand` says so.
  const note = isOurs ? '' : ` ${notInReference}`;
  return (command: Command, context: Context): void => {
    withExamples(
      command
        .description(`List ${plural}.${isOurs ? ` ${ownCommand}` : ''}`)
        .option('--limit <n>', `page size; default: ${pageSize.max} with --all, otherwise the service's own`)
        .option('--page <n>', `page number, from 1${note}`)
        .option('--all', `follow all pages${note}`)
        .option('--name <glob>', 'only matching names, among the items read; * stands for any characters')
        .option('--sort <column>', 'sort by a column; --sort=-name reverses the order'),
      [
        [`orgctl ${kind} list`, 'the first page'],
        [`orgctl ${kind} list --all -o csv --columns id,name`, 'all of them, two columns'],
        [`orgctl ${kind} list --all --name 'test-*' --sort=-created`, 'some of them, the newest first'],
      ],
      { calls: 'service' },
    ).action((options) => listResources({ resource, view, filters }, options, context));
    for (const { option } of filters) command.option(...option);
  };
}

async function listResources(
  {
    resource,
    view,
    filters,
  }: Pick<ResourceCommand, 'resource' | 'view'> & { readonly filters: readonly ListFilter[] },
  options: ListOptions & FilterOptions,
  context: Pick<Context, 'api' | 'printer' | 'note' | 'progress' | 'clock'>,
): Promise<void> {
  const request = pageRequest(options);
  const keep = combineFilters(options, filters, context.clock());
  const sort = options.sort === undefined ? undefined : parseSort(options.sort, view);
  const printer = await context.printer();
  printer.check(view, 'list');
  const api = await context.api();
  const shown = keep === undefined ? view : { ...view, empty: `no matching ${resource.plural}` };
  const { list } = api[resource.property];
  const { deadline } = api.transport;
  const marks = new DeletionMarks();
  const print = (items: AsyncIterable<Resource>) => {
    const counted = marks.watch(items);
    return printer.list(sort === undefined ? counted : sort(counted), shown);
  };
  const filtered = keep && new FilteredRows(keep, resource.plural);
  let counts: ListCounts | undefined;
  const onEnd = (end: ListCounts) => {
    counts = end;
  };
  const whole = { fetch: list, request: { ...request, deadline }, what: resource.plural, onEnd };
  if (!options.all) await print(onePage(list, request, context, filtered?.keeps));
  else await takeAllPages(whole, context, (items) => print(filterKept(items, filtered?.keeps)));
  filtered?.assertDecided();
  if (marks.count > 0) await context.note(marks.describe(resource));
  const doubt = counts && describeShortList(resource, { ...counts, used: counts.quota?.used });
  if (doubt !== undefined) await printer.warn(doubt);
}

/** Counts rows marked as deleted, because the columns of a table do not show the mark. */
class DeletionMarks {
  count = 0;

  async *watch(rows: AsyncIterable<Resource>): AsyncGenerator<Resource> {
    for await (const row of rows) {
      if (readDeletionMark(row) === true) this.count += 1;
      yield row;
    }
  }

  describe({ singular, plural }: ResourceCommand['resource']): string {
    return `marked as deleted: ${countNoun(this.count, singular, plural)}; -o wide shows the marks`;
  }
}

async function* filterKept(
  items: AsyncIterable<Resource>,
  keep: (row: Resource) => boolean = () => true,
): AsyncGenerator<Resource> {
  for await (const item of items) if (keep(item)) yield item;
}
