import { isResource, type Resource, readId } from '../../api/resources/resource.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { selectColumns, type View } from '../../terminal/formats/columns.js';
import { glob } from '../../text/glob.js';

export interface FilterOptions {
  readonly name?: string | undefined;
  readonly sort?: string | undefined;
  readonly [option: string]: string | boolean | undefined;
}

/** Whether to keep a row; `undefined` if it lacks the field, `Unread` if the field cannot be read. */
export type Keep = (row: Resource) => boolean | undefined | Unread;

interface Unread {
  readonly unread: string;
}

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
  return tests.length === 0 ? undefined : (row) => testAll(tests, row);
}

function testAll(tests: readonly Keep[], row: Resource): ReturnType<Keep> {
  const results = tests.map((test) => test(row));
  if (results.includes(false)) return false;
  const unread = results.find((result) => typeof result === 'object');
  return unread ?? (results.includes(undefined) ? undefined : true);
}

/** Filters rows, and counts those on which the filters cannot decide. */
export class FilteredRows {
  readonly #keep: Keep;
  readonly #plural: string;
  #doubtful = 0;
  #unread: string | undefined;

  constructor(keep: Keep, plural: string) {
    this.#keep = keep;
    this.#plural = plural;
  }

  readonly keeps = (row: Resource): boolean => {
    const isKept = this.#keep(row);
    if (typeof isKept === 'boolean') return isKept;
    this.#doubtful += 1;
    if (isKept !== undefined) this.#unread ??= `${isKept.unread} of ${readId(row) ?? 'a row without an ID'}`;
    return false;
  };

  /** @throws ServiceError `server` after the rows are printed, if filters could not decide on some */
  assertDecided(): void {
    if (this.#doubtful === 0) return;
    const [plural, count] = [this.#plural, this.#doubtful];
    const why =
      this.#unread === undefined
        ? 'a field that the filter needs is missing'
        : `the filter cannot read ${this.#unread}`;
    throw new ServiceError('server', `${plural} not shown: ${count}, because ${why}`, {
      retryable: false,
      hint: `without the filter, all ${plural} are shown`,
    });
  }
}

type Sort = (rows: AsyncIterable<Resource>) => AsyncIterable<Resource>;

/** Sorts numbers and texts of digits by size, other values as text, absent ones last. @throws UsageError */
export function parseSort(name: string, view: View<Resource>): Sort {
  const descending = name.startsWith('-');
  const [column] = selectColumns(view.columns, [descending ? name.slice(1) : name]);
  const path = typeof column?.value === 'string' ? column.value : '';
  const paths = view.columns.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const roots = [...paths, ...(view.fields ?? [])].map((known) => known.split('.', 1)[0]);
  if (!roots.includes(path.split('.', 1)[0])) {
    throw new UsageError(`--sort ${name}: unknown column`, {
      hint: `the columns are ${paths.join(', ')}; for the reverse order --sort=-${paths[0]}`,
    });
  }
  const read = (row: Resource) =>
    path.split('.').reduce<unknown>((value, step) => (isResource(value) ? value[step] : undefined), row);
  return async function* sorted(rows) {
    const gathered: { readonly row: Resource; readonly value: unknown }[] = [];
    for await (const row of rows) gathered.push({ row, value: read(row) });
    const sign = descending ? -1 : 1;
    gathered.sort(
      (a, b) => sortMissing(a.value) - sortMissing(b.value) || sign * compareValues(a.value, b.value),
    );
    for (const { row } of gathered) yield row;
  };
}

function sortMissing(value: unknown): number {
  return value === undefined || value === null ? 1 : 0;
}

function compareValues(a: unknown, b: unknown): number {
  const [left, right] = [toComparable(a), toComparable(b)];
  if (typeof left === 'string' && typeof right !== 'string') return 1;
  if (typeof left !== 'string' && typeof right === 'string') return -1;
  return left < right ? -1 : left > right ? 1 : 0;
}

function toComparable(value: unknown): number | bigint | string {
  if (typeof value === 'number') return value;
  const text = String(value);
  return /^\d+$/.test(text) ? BigInt(text) : text;
}
