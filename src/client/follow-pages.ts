import { idOf, isResource } from '../api/resources/resource.js';
import { pageSize } from '../api/schema/envelope.js';
import { NetworkError, ServiceError } from '../errors/errors.js';
import { option } from '../errors/server-option.js';
import { formatDuration } from '../text/duration.js';
import { printJson } from '../text/exact-json.js';
import type { Page } from './answers/page.js';
import type { PageRequest } from './resource-calls.js';

/** Reads one page of a list; `left`: milliseconds that are left of the deadline, where several pages have it in common. */
export type FetchPage<Item> = (request: PageRequest, left?: number) => Promise<Page<Item>>;

/** How the pages are called, and what becomes of a list that may not be whole. */
interface Following {
  /** The items, for errors, such as `teams`. */
  readonly what: string;
  /** Gets the error after the last page of a list that is not proved whole; otherwise it is thrown. */
  readonly onIncomplete?: ((error: ServiceError) => void) | undefined;
}

// A list may grow while it is read, but hardly to twice its length; beyond that the service is at fault.
const growth = 2;
const morePages = 100;
const moreItems = morePages * pageSize.max;

/**
 * All pages of a list, from the first. The next page is fetched while one is consumed, so at most two are in memory. By
 * default it asks for the largest pages.
 *
 * @param request `deadline`: milliseconds for reading all pages; time spent waiting for the consumer does not count
 * @throws ServiceError `server` when the pages repeat or do not end, and after the last page when nothing proves that it
 * was the last; NetworkError when the deadline has passed
 */
export async function* followPages<Item>(
  fetch: FetchPage<Item>,
  { limit = pageSize.max, deadline, signal }: Omit<PageRequest, 'page'>,
  { what, onIncomplete }: Following,
): AsyncGenerator<Page<Item>> {
  const read = withinDeadline(fetch, deadline, what);
  const first = await read({ limit, signal });
  const course = new Course(what, first);
  for (let page = 1, answer: Page<Item> | undefined = first; answer !== undefined; page += 1) {
    course.check(answer, page);
    const next: Promise<Page<Item>> | undefined = isLast(answer, page)
      ? undefined
      : ahead(read({ limit, page: page + 1, signal }));
    yield answer;
    answer = await next;
  }
  const error = course.incompleteness(limit);
  if (error === undefined) return;
  if (onIncomplete === undefined) throw error;
  onIncomplete(error);
}

/** The items of pages, one by one. */
export async function* itemsOf<Item>(pages: AsyncIterable<Page<Item>>): AsyncGenerator<Item> {
  for await (const { data } of pages) yield* data;
}

/** Reads pages until the common deadline, however many there are. */
function withinDeadline<Item>(
  fetch: FetchPage<Item>,
  deadline: number | undefined,
  what: string,
): FetchPage<Item> {
  if (deadline === undefined) return fetch;
  let left = deadline;
  return async (request) => {
    if (left <= 0) {
      throw new NetworkError(`not all ${what} arrived before the deadline of ${formatDuration(deadline)}`, {
        retryable: true,
        hint: `allow more time: ${option('deadline', 2 * deadline)}`,
      });
    }
    const begun = performance.now();
    try {
      return await fetch({ ...request, deadline }, left);
    } finally {
      left -= performance.now() - begun;
    }
  };
}

function isLast({ data, pages }: Page<unknown>, page: number): boolean {
  return pages === undefined || page >= pages || data.length === 0;
}

/** A page fetched ahead. If it fails, that shows only when it is asked for: the rows before it are printed first. */
function ahead<Value>(page: Promise<Value>): Promise<Value> {
  void Promise.allSettled([page]);
  return page;
}

/** Checks the pages of a list against what its envelopes announce. */
class Course {
  readonly #what: string;
  readonly #mostPages: number;
  readonly #mostItems: number;
  readonly #seen = new Set<string>();
  #items = 0;
  #last: Page<unknown>;
  /** What a page says that cannot be. */
  #contradiction: string | undefined;
  readonly #pageLength: number;

  constructor(what: string, first: Page<unknown>) {
    const { pages = 1, total = Number.POSITIVE_INFINITY } = first;
    this.#last = first;
    this.#pageLength = first.data.length;
    this.#what = what;
    this.#mostPages = pages * growth + morePages;
    this.#mostItems = total * growth + moreItems;
  }

  check(answer: Page<unknown>, page: number): void {
    if (answer.page !== undefined && answer.page !== page) {
      throw this.#fault(`page ${page} was requested, but page ${answer.page} came`);
    }
    if (page > this.#mostPages || this.#items > this.#mostItems) {
      throw this.#fault(`${page - 1} pages with ${this.#items} items were read, and there are still more`);
    }
    const key = pageKey(answer.data);
    if (answer.data.length > 0 && this.#seen.has(key)) {
      throw this.#fault(`page ${page} repeats an earlier page`);
    }
    this.#seen.add(key);
    this.#items += answer.data.length;
    this.#last = answer;
    const { data, total } = answer;
    // Rows of this page and of full ones before it: what was deleted since is in neither.
    const least = data.length === 0 ? 0 : (page - 1) * this.#pageLength + data.length;
    if (total !== undefined && total < least) {
      this.#contradiction ??= `the service counts ${total}, and ${least} came by page ${page}`;
    }
  }

  /** The error for a list that may go on; undefined when its last page proves that it is whole. */
  incompleteness(limit: number): ServiceError | undefined {
    const doubt = this.#doubt(limit);
    if (doubt === undefined) return undefined;
    return new ServiceError('server', `the list of ${this.#what} is not proved whole: ${doubt}`, {
      retryable: false,
      hint: 'do not rely on what is missing; single pages, and resources by their IDs, can still be read',
    });
  }

  // The last page's total counts: what was deleted while the list was read is not missing.
  #doubt(limit: number): string | undefined {
    const { total, pages, hasNext } = this.#last;
    const came = this.#items;
    if (hasNext) return `the service names a page after the ${came} that came`;
    if (this.#contradiction !== undefined) return this.#contradiction;
    if (total !== undefined) {
      if (came >= total && total >= 0) return undefined;
      return `the service counts ${total}, and ${came} came`;
    }
    if (pages !== undefined || came < limit) return undefined;
    return `${came} came, as many as a page may have, and nothing says that there are no more`;
  }

  #fault(what: string): ServiceError {
    return new ServiceError('server', `the list of ${this.#what} does not continue properly: ${what}`, {
      retryable: false,
      hint: 'single pages can still be read',
    });
  }
}

/** Identifies a page by its first item's ID, or by the whole item if it has none; other fields may change meanwhile. */
function pageKey([first]: readonly unknown[]): string {
  const id = isResource(first) ? idOf(first) : undefined;
  return id ?? printJson(first ?? null);
}
