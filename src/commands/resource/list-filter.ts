import { isResource, type Resource, readId } from '../../api/resources/resource.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { selectColumns, type View } from '../../terminal/formats/columns.js';
import { glob } from '../../text/glob.js';

export interface FilterOptions {
  readonly name?: string | undefined;
  readonly sort?: string | undefined;
  readonly [option: string]: string | boolean | undefined;
}

/** Whether to keep a row; `undefined` if it lacks the field, `unread` if the field cannot be read. */
export type Keep = (row: Resource) => boolean | undefined | { readonly unread: string };

export interface ListFilter {
  readonly option: readonly [flags: string, description: string];
  /** @throws UsageError */
  readonly keep: (options: FilterOptions, now: number) => Keep | undefined;
}

/** The combined filter; `undefined` without filters. @throws UsageError */
export function combineFilters(
  options: FilterOptions,
  filters: readonly ListFilter[],
  now: number,
): Keep | undefined {
  const fits = options.name === undefined ? undefined : glob(options.name);
  const byName: Keep | undefined = fits && (({ name }) => typeof name === 'string' && fits(name));
  const tests = [byName, ...filters.map(({ keep }) => keep(options, now))].filter(
    (test) => test !== undefined,
  );
  if (tests.length === 0) return undefined;
  return (row) => {
    const results = tests.map((test) => test(row));
    if (results.includes(false)) return false;
    const unread = results.find((result) => typeof result === 'object');
    return unread ?? (results.includes(undefined) ? undefined : true);
  };
}

/** Filters rows, and counts those on which the filter cannot decide. */
export function filterRows(keep: Keep = () => true, plural: string) {
  let doubtful = 0;
  let unread: string | undefined;
  const keeps = (row: Resource): boolean => {
    const isKept = keep(row);
    if (typeof isKept === 'boolean') return isKept;
    doubtful += 1;
    if (isKept !== undefined) unread ??= `${isKept.unread} of ${readId(row) ?? 'a row without an ID'}`;
    return false;
  };
  return {
    keeps,
    async *keepFrom(rows: AsyncIterable<Resource>): AsyncGenerator<Resource> {
      for await (const row of rows) if (keeps(row)) yield row;
    },
    /** @throws ServiceError `server` after the rows are printed, if the filter could not decide on some */
    assertDecided(): void {
      if (doubtful === 0) return;
      const why =
        unread === undefined
          ? 'a field that the filter needs is missing'
          : `the filter cannot read ${unread}`;
      throw new ServiceError('server', `${plural} not shown: ${doubtful}, because ${why}`, {
        retryable: false,
        hint: `without the filter, all ${plural} are shown`,
      });
    },
  };
}

/** Sorts numbers and texts of digits by size, other values as text, absent ones last. @throws UsageError */
export function parseSort(name: string, view: View<Resource>) {
  const descending = name.startsWith('-');
  const [column] = selectColumns(view.columns, [descending ? name.slice(1) : name]);
  const path = typeof column?.value === 'string' ? column.value.split('.') : [''];
  const paths = view.columns.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const roots = [...paths, ...(view.fields ?? [])].map((known) => known.split('.', 1)[0]);
  if (!roots.includes(path[0])) {
    throw new UsageError(`--sort ${name}: unknown column`, {
      hint: `the columns are ${paths.join(', ')}; for the reverse order --sort=-${paths[0]}`,
    });
  }
  const read = (row: Resource) =>
    path.reduce<unknown>((value, step) => (isResource(value) ? value[step] : undefined), row) ?? undefined;
  const sign = descending ? -1 : 1;
  return async function* sorted(rows: AsyncIterable<Resource>): AsyncGenerator<Resource> {
    const all: { readonly row: Resource; readonly value: unknown }[] = [];
    for await (const row of rows) all.push({ row, value: read(row) });
    all.sort(({ value: a }, { value: b }) =>
      a === undefined || b === undefined
        ? Number(a === undefined) - Number(b === undefined)
        : sign * compareValues(toComparable(a), toComparable(b)),
    );
    for (const { row } of all) yield row;
  };
}

type Comparable = number | bigint | string;

function compareValues(a: Comparable, b: Comparable): number {
  if ((typeof a === 'string') !== (typeof b === 'string')) return typeof a === 'string' ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function toComparable(value: unknown): Comparable {
  if (typeof value === 'number') return value;
  const text = String(value);
  return /^\d+$/.test(text) ? BigInt(text) : text;
}
