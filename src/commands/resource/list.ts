import type { Resource } from '../../api/resources/resource.js';
import { pageSize } from '../../api/schema/envelope.js';
import { command, type OptionValue, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { notInReference, ownCommand } from '../../cli/help-text.js';
import type { Define } from '../../cli/lazy-command.js';
import { type FilterOptions, type ListFilter, ListFilters } from './list-filter.js';
import type { Noun } from './noun.js';
import { checkReading, openColumns } from './open-columns.js';
import { type ListOptions, onePage, pageRequest, takeAllPages } from './pages.js';

export function listVerb(noun: Noun, filters: readonly ListFilter[] = []): Define {
  const { kind, plural } = noun.resource;
  // The API reference has only this list.
  const isOurs = kind !== 'connections';
  // If the whole command is not in the API reference, `ownCommand` says so.
  const note = isOurs ? '' : ` ${notInReference}`;
  const options: readonly OptionValue<string, string | boolean | undefined>[] = [
    option('--limit <n>', `page size; default: ${pageSize.max} with --all, otherwise the service's own`),
    option('--page <n>', `page number, from 1${note}`),
    option('--all', `follow all pages${note}`),
    option('--name <glob>', 'only matching names, among the items read; * stands for any characters'),
    ...filters.map(({ option: [flags, description] }) => option(flags, description)),
  ];
  return command({
    description: `List ${plural}.${isOurs ? ` ${ownCommand}` : ''}`,
    options,
    examples: [
      [`orgctl ${kind} list`, 'the first page'],
      [`orgctl ${kind} list --all -o csv --columns id,name`, 'all of them, two columns'],
      [`orgctl ${kind} list --all --name 'test-*'`, 'some of them'],
    ],
    calls: 'service',
    run: (context, _words, given) => listResources(noun, filters, given, context),
  });
}

async function listResources(
  { resource, view }: Noun,
  known: readonly ListFilter[],
  options: ListOptions & FilterOptions,
  context: Context,
): Promise<void> {
  const request = pageRequest(options);
  const filters = new ListFilters(options, known, context.clock());
  await checkReading(view, 'list', context);
  const api = await context.api();
  const { list } = api[resource.property];
  const shown = filters.isEmpty ? view : { ...view, empty: `no matching ${resource.plural}` };
  const print = async (items: AsyncIterable<Resource>) => {
    const open = await openColumns(items, shown, context);
    await (await context.printer()).list(open.rows, open.view);
  };
  if (options.all) {
    const whole = { ...request, deadline: api.transport.deadline };
    await takeAllPages({ fetch: list, request: whole, what: resource.plural }, context, (items) =>
      print(filters.select(items)),
    );
  } else await print(onePage(list, request, context, filters.keeps));
  filters.assertDecided(resource.plural);
}
