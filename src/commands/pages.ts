import type { Page, PageRequest } from '../client/api.js';
import type { Context } from '../context.js';
import { formatDuration } from '../contract/duration.js';
import { pageSize } from '../contract/envelope.js';
import type { Resource } from '../contract/resource.js';
import { NetworkError, ServiceError, UsageError } from '../errors.js';

export interface ListOptions {
  readonly limit?: string | undefined;
  readonly page?: string | undefined;
  readonly all?: boolean | undefined;
}

/** Reads one page of a list. */
export type FetchPage = (request: PageRequest) => Promise<Page>;

/**
 * Which page was asked for. How large a page may be is for the service to say.
 *
 * @throws UsageError for what is no integer from 1, and for `--page` with `--all`
 */
export function pageRequest({ limit, page, all }: ListOptions): PageRequest {
  if (all && page !== undefined) throw new UsageError('--all and --page exclude each other');
  return { limit: integer('--limit', limit), page: integer('--page', page) };
}

function integer(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) > 0 && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`${flag} ${text}: not a whole number from 1`);
}

/** The items of one page; when the envelope says that there are more than these, a note tells how to get them. */
export async function* onePage(
  fetch: FetchPage,
  request: PageRequest,
  context: Pick<Context, 'note'>,
  keep?: (item: Resource) => boolean,
): AsyncGenerator<Resource> {
  const { data, total, page = request.page ?? 1, pages = 1 } = await fetch(request);
  yield* keep === undefined ? data : data.filter(keep);
  if (pages <= page && (total === undefined || total <= data.length)) return;
  const seen = keep === undefined ? 'shown' : 'looked through';
  const shown = total === undefined ? `${data.length} ${seen}` : `${data.length} of ${total} ${seen}`;
  const next = pages > page ? `; the next page: --page ${page + 1}` : '';
  await context.note(`page ${page} of ${pages}, ${shown}; all: --all${next}`);
}

// A list may grow while it is read, but hardly to twice its length: more than that is a fault of the service.
const growth = 2;
const morePages = 100;
const moreItems = morePages * pageSize.max;

/**
 * The items of all pages. The next page is on its way while one is printed, so that at most two are in memory. Unless
 * told otherwise it asks for the largest pages.
 *
 * @param deadline milliseconds for the reading of all pages together; not counted is the time in which nothing is read,
 * because the output is not taken
 * @param what the items, for progress and notes, such as `teams`
 * @throws ServiceError `server` when the pages repeat or do not end; NetworkError when the deadline has passed
 */
export async function* allPages(
  fetch: FetchPage,
  { limit = pageSize.max, deadline }: PageRequest,
  what: string,
  context: Pick<Context, 'note' | 'progress'>,
): AsyncGenerator<Resource> {
  const read = withinDeadline(fetch, deadline, what);
  const first = await read({ limit });
  const progress = await context.progress({ label: `reading ${what}`, total: first.total });
  const course = new Course(what, first);
  try {
    for (let page = 1, answer: Page | undefined = first; answer !== undefined; page += 1) {
      course.check(answer, page);
      const next: Promise<Page> | undefined = isLast(answer, page)
        ? undefined
        : ahead(read({ limit, page: page + 1 }));
      for (const item of answer.data) {
        yield item;
        progress.tick();
      }
      answer = await next;
    }
  } finally {
    progress.done();
  }
  const missing = course.missing();
  if (missing !== undefined) await context.note(missing);
}

/** Reads pages for as long as all of them together may take: however many there are said to be. */
function withinDeadline(fetch: FetchPage, deadline: number | undefined, what: string): FetchPage {
  if (deadline === undefined) return fetch;
  let left = deadline;
  return async (request) => {
    if (left <= 0) {
      throw new NetworkError(`not all ${what} came before the deadline of ${formatDuration(deadline)}`, {
        retryable: true,
        hint: `allow more time: --deadline ${formatDuration(2 * deadline)}`,
      });
    }
    const begun = performance.now();
    try {
      return await fetch({ ...request, deadline: left });
    } finally {
      left -= performance.now() - begun;
    }
  };
}

function isLast({ data, pages }: Page, page: number): boolean {
  return pages === undefined || page >= pages || data.length === 0;
}

/** The page, whose failure waits until somebody asks for it: the rows before it are printed first, and may be all. */
function ahead(page: Promise<Page>): Promise<Page> {
  void Promise.allSettled([page]);
  return page;
}

/** How the reading of a list goes, held against what its envelopes say. */
class Course {
  readonly #what: string;
  readonly #mostPages: number;
  readonly #mostItems: number;
  readonly #seen = new Set<string>();
  #items = 0;
  #total = 0;

  constructor(what: string, { pages = 1, total = Number.POSITIVE_INFINITY }: Page) {
    this.#what = what;
    this.#mostPages = pages * growth + morePages;
    this.#mostItems = total * growth + moreItems;
  }

  check(answer: Page, page: number): void {
    if (answer.page !== undefined && answer.page !== page) {
      throw this.#fault(`page ${page} was asked for and page ${answer.page} came`);
    }
    if (page > this.#mostPages || this.#items > this.#mostItems) {
      throw this.#fault(`${page - 1} pages with ${this.#items} items came, and there are still more`);
    }
    const key = pageKey(answer.data);
    if (answer.data.length > 0 && this.#seen.has(key)) {
      throw this.#fault(`page ${page} has what an earlier page had`);
    }
    this.#seen.add(key);
    this.#items += answer.data.length;
    this.#total = answer.total ?? 0;
  }

  missing(): string | undefined {
    if (this.#items >= this.#total) return undefined;
    return `the service speaks of ${this.#total} ${this.#what}, and ${this.#items} came; some may have been deleted meanwhile`;
  }

  #fault(what: string): ServiceError {
    return new ServiceError('server', `the list of ${this.#what} does not go on as it should: ${what}`, {
      retryable: false,
      hint: 'single pages can still be read',
    });
  }
}

/** What tells one page from another: the first item's ID, and only without one the item; other fields change by themselves. */
function pageKey([first]: readonly Resource[]): string {
  const id = first?.['id'];
  return typeof id === 'string' ? id : JSON.stringify(first ?? null);
}
