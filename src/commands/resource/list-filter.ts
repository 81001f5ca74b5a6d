import { type Resource, readId } from '../../api/resources/resource.js';
import { ServiceError } from '../../errors/errors.js';
import { glob } from '../../text/glob.js';

export interface FilterOptions {
  readonly name?: string | undefined;
  readonly [option: string]: string | boolean | undefined;
}

/** Whether to keep a row; if a field that decides is missing or unreadable, its name. */
export type Keep = (row: Resource) => boolean | { readonly unread: string };

export interface ListFilter {
  readonly option: readonly [flags: string, description: string];
  /** @throws UsageError */
  readonly keep: (options: FilterOptions, now: number) => Keep | undefined;
}

/**
 * The test that the filters of a command line make; `undefined` without one. @throws UsageError for a bad option
 * @returns a function that throws a ServiceError `server` for a row that a filter cannot judge
 */
export function chooseRows(
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

export async function* selectRows(rows: AsyncIterable<Resource>, keep: (row: Resource) => boolean) {
  for await (const row of rows) if (keep(row)) yield row;
}
