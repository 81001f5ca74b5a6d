import { type Resource, readId } from '../../api/resources/resource.js';
import { pageSize } from '../../api/schema/envelope.js';
import { command, type OptionValue, option } from '../../cli/command.js';
import type { Context } from '../../cli/context.js';
import { notInReference, ownCommand } from '../../cli/help-text.js';
import type { Define } from '../../cli/lazy-command.js';
import { ServiceError } from '../../errors/errors.js';
import { glob } from '../../text/glob.js';
import type { Noun } from './noun.js';
import { type ListOptions, onePage, pageRequest, takeAllPages } from './pages.js';

interface FilterOptions {
  readonly name?: string | undefined;
  readonly [option: string]: string | boolean | undefined;
}

/** Whether to show a row, or the name of the field that decides but cannot be read. */
export type Keep = (row: Resource) => boolean | { readonly unread: string };

export interface ListFilter {
  readonly option: OptionValue<string, string | boolean | undefined>;
  readonly keep: (options: FilterOptions, now: number) => Keep | undefined;
}

export function listVerb(noun: Noun, filters: readonly ListFilter[] = []): Define {
  const { kind, plural } = noun.resource;
  // Of the lists, the API reference has only this one.
  const isOurs = kind !== 'connections';
  // If the whole command is not in the API reference, `ownCommand` says so.
  const note = isOurs ? '' : ` ${notInReference}`;
  const options: readonly ListFilter['option'][] = [
    option('--limit <n>', `page size; default: ${pageSize.max} with --all, otherwise the service's own`),
    option('--page <n>', `page number, from 1${note}`),
    option('--all', `follow all pages${note}`, { conflicts: ['page'] }),
    option('--name <glob>', 'only matching names, among the items read; * stands for any characters'),
    ...filters.map((filter) => filter.option),
  ];
  return command({
    description: `List ${plural}.${isOurs ? ` ${ownCommand}` : ''}`,
    options,
    examples: [
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
  const keep = chooseRows(options, known, context.clock());
  const printer = await context.printer();
  printer.check(view);
  const api = await context.api();
  const { list } = api[resource.property];
  const shown = keep === undefined ? view : { ...view, empty: `no matching ${resource.plural}` };
  const print = (items: AsyncIterable<Resource>) => printer.list(items, shown);
  if (!options.all) return print(onePage(list, request, context, keep));
  const whole = { ...request, deadline: api.transport.deadline };
  await takeAllPages({ fetch: list, request: whole, what: resource.plural }, context, (items) =>
    print(keep === undefined ? items : selectRows(items, keep)),
  );
}

/** @returns a test that throws a ServiceError `server` for a row that a filter cannot judge @throws UsageError */
function chooseRows(
  options: FilterOptions,
  filters: readonly ListFilter[],
  now: number,
): ((row: Resource) => boolean) | undefined {
  const fits = options.name === undefined ? undefined : glob(options.name);
  const byName: Keep | undefined = fits && (({ name }) => typeof name === 'string' && fits(name));
  const tests = [byName, ...filters.map(({ keep }) => keep(options, now))].filter(
    (each) => each !== undefined,
  );
  if (tests.length === 0) return undefined;
  return (row) => {
    const results = tests.map((test) => test(row));
    if (results.includes(false)) return false;
    const unread = results.find((result) => typeof result === 'object');
    if (unread === undefined) return true;
    const what = `the filter cannot read ${unread.unread} of ${readId(row) ?? 'a row without an ID'}`;
    throw new ServiceError('server', what, { retryable: false, hint: 'without the filter, all are shown' });
  };
}

async function* selectRows(rows: AsyncIterable<Resource>, keep: (row: Resource) => boolean) {
  for await (const row of rows) if (keep(row)) yield row;
}
