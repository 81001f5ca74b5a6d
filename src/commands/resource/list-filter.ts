import { isResource, type Resource, readId } from '../../api/resources/resource.js';
import { ServiceError, UsageError } from '../../errors/errors.js';
import { cellValue, selectColumns, type View } from '../../terminal/formats/columns.js';
import { glob } from '../../text/glob.js';

export interface FilterOptions {
  readonly name?: string | undefined;
  readonly sort?: string | undefined;
  readonly [option: string]: string | boolean | undefined;
}

/** Whether to keep a row; if a field that decides is missing or unreadable, its name. */
export type Keep = (row: Resource) => boolean | { readonly unread: string };

export interface ListFilter {
  readonly option: readonly [flags: string, description: string];
  /** @throws UsageError */
  readonly keep: (options: FilterOptions, now: number) => Keep | undefined;
}

/** The filters that a command line chooses. Keeps in mind whether they could decide on each row. */
export class ListFilters {
  readonly #tests: readonly Keep[];
  #undecided = 0;
  #why: string | undefined;

  /** @throws UsageError */
  constructor(options: FilterOptions, filters: readonly ListFilter[], now: number) {
    const fits = options.name === undefined ? undefined : glob(options.name);
    const byName: Keep | undefined = fits && (({ name }) => typeof name === 'string' && fits(name));
    const tests = [byName, ...filters.map(({ keep }) => keep(options, now))];
    this.#tests = tests.filter((test) => test !== undefined);
  }

  get isEmpty(): boolean {
    return this.#tests.length === 0;
  }

  readonly keeps = (row: Resource): boolean => {
    const results = this.#tests.map((test) => test(row));
    const unread = results.find((result) => typeof result === 'object');
    if (unread === undefined || results.includes(false)) return !results.includes(false);
    this.#undecided += 1;
    this.#why ??= `${unread.unread} of ${readId(row) ?? 'a row without an ID'}`;
    return false;
  };

  async *select(rows: AsyncIterable<Resource>): AsyncGenerator<Resource> {
    for await (const row of rows) if (this.keeps(row)) yield row;
  }

  /** @throws ServiceError `server` after the rows are printed, if a filter could not decide on some */
  assertDecided(plural: string): void {
    if (this.#undecided === 0) return;
    const what = `${plural} not shown: ${this.#undecided}, because the filter cannot read ${this.#why}`;
    throw new ServiceError('server', what, {
      retryable: false,
      hint: `without the filter, all ${plural} are shown`,
    });
  }
}

/** Sorts numbers and texts of digits by size, other values as text, absent ones last. @throws UsageError */
export function parseSort(name: string, view: View<Resource>) {
  const isDescending = name.startsWith('-');
  const [column] = selectColumns(view.columns, [isDescending ? name.slice(1) : name]);
  const known = view.columns.flatMap(({ value }) => (typeof value === 'string' ? [value] : []));
  const root = typeof column?.value === 'string' ? column.value.split('.', 1)[0] : undefined;
  if (
    column === undefined ||
    ![...known, ...(view.fields ?? [])].some((path) => path.split('.', 1)[0] === root)
  ) {
    throw new UsageError(`--sort ${name}: unknown column`, { hint: `the columns are ${known.join(', ')}` });
  }
  const sign = isDescending ? -1 : 1;
  return async function* sorted(rows: AsyncIterable<Resource>): AsyncGenerator<Resource> {
    const all: { readonly row: Resource; readonly value: Comparable | undefined }[] = [];
    for await (const row of rows) all.push({ row, value: toComparable(cellValue(row, column)) });
    all.sort(({ value: a }, { value: b }) =>
      a === undefined || b === undefined
        ? Number(a === undefined) - Number(b === undefined)
        : sign * compareValues(a, b),
    );
    for (const { row } of all) yield row;
  };
}

type Comparable = number | bigint | string;

function compareValues(a: Comparable, b: Comparable): number {
  if ((typeof a === 'string') !== (typeof b === 'string')) return typeof a === 'string' ? 1 : -1;
  return a < b ? -1 : a > b ? 1 : 0;
}

function toComparable(value: unknown): Comparable | undefined {
  if (value === null || value === undefined || isResource(value)) return undefined;
  if (typeof value === 'number') return value;
  const text = String(value);
  return /^\d+$/.test(text) ? BigInt(text) : text;
}
