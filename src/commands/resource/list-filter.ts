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
