import type { Resource } from '../../api/resources/resource.js';
import { pageSize } from '../../api/schema/envelope.js';
import { command, type OptionValue, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { notInReference, ownCommand } from '../../cli/help-text.js';
import type { Define } from '../../cli/lazy-command.js';
import { isMarkedDeleted } from '../../client/reading/record-fields.js';
import { countNoun } from '../../text/count-noun.js';
import { combineFilters, type FilterOptions, filterRows, type ListFilter, parseSort } from './list-filter.js';
import type { Noun } from './noun.js';
import { type ListCounts, type ListOptions, onePage, pageRequest, takeAllPages } from './pages.js';
import { describeShortList } from './short-list.js';

export function listVerb(noun: Noun, filters: readonly ListFilter[] = []): Define {
  const { kind, plural, calls } = noun.resource;
  const isOurs = calls.list !== 'ref';
  // If the whole command is not in the API reference, `ownCommand` says so.
  const note = isOurs ? '' : ` ${notInReference}`;
  const options: readonly OptionValue<string, string | boolean | undefined>[] = [
    option('--limit <n>', `page size; default: ${pageSize.max} with --all, otherwise the service's own`),
    option('--page <n>', `page number, from 1${note}`),
    option('--all', `follow all pages${note}`),
    option('--name <glob>', 'only matching names, among the items read; * stands for any characters'),
    option('--sort <column>', 'sort by a column; --sort=-name reverses the order'),
    ...filters.map(({ option: [flags, description] }) => option(flags, description)),
  ];
  return command({
    description: `List ${plural}.${isOurs ? ` ${ownCommand}` : ''}`,
    options,
    examples: [
      [`orgctl ${kind} list`, 'the first page'],
      [`orgctl ${kind} list --all -o csv --columns id,name`, 'all of them, two columns'],
      [`orgctl ${kind} list --all --name 'test-*' --sort=-created`, 'some of them, the newest first'],
    ],
    calls: 'service',
    run: (context, _words, given) => listResources(noun, filters, given, context),
  });
}

async function listResources(
  { resource, view }: Noun,
  filters: readonly ListFilter[],
  options: ListOptions & FilterOptions,
  context: Context,
): Promise<void> {
  const request = pageRequest(options);
  const keep = combineFilters(options, filters, context.clock());
  const sort = options.sort === undefined ? undefined : parseSort(options.sort, view);
  const printer = await context.printer();
  printer.check(view, 'list');
  const api = await context.api();
  const { list } = api[resource.property];
  const shown = keep === undefined ? view : { ...view, empty: `no matching ${resource.plural}` };
  const filtered = filterRows(keep, resource.plural);
  let marked = 0;
  async function* countMarked(rows: AsyncIterable<Resource>): AsyncGenerator<Resource> {
    for await (const row of rows) {
      // The columns of a table do not show the mark.
      if (isMarkedDeleted(row)) marked += 1;
      yield row;
    }
  }
  const print = (items: AsyncIterable<Resource>) => {
    const counted = countMarked(items);
    return printer.list(sort === undefined ? counted : sort(counted), shown);
  };
  let counts: ListCounts | undefined;
  const onEnd = (end: ListCounts) => {
    counts = end;
  };
  if (options.all) {
    const whole = { ...request, deadline: api.transport.deadline };
    await takeAllPages({ fetch: list, request: whole, what: resource.plural, onEnd }, context, (items) =>
      print(filtered.keepFrom(items)),
    );
  } else await print(onePage(list, request, context, keep && filtered.keeps));
  filtered.assertDecided();
  if (marked > 0) {
    const what = countNoun(marked, resource.singular, resource.plural);
    await context.note(`marked as deleted: ${what}; -o wide shows the marks`);
  }
  const doubt = counts && describeShortList(resource, { ...counts, used: counts.quota?.used });
  if (doubt !== undefined) await printer.warn(doubt);
}
