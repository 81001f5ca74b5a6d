import { pageSize } from '../api/schema/envelope.js';
import { NetworkError, ServiceError } from '../errors/errors.js';
import { formatDuration } from '../text/duration.js';
import { Course } from './course.js';
import { type CallOptions, isUncounted, type Page, type PageRequest } from './reading/page.js';

/** Reads one page. `left`: milliseconds left of a deadline that several pages share. */
export interface FetchPage<Item> {
  (request: PageRequest, left?: number): Promise<Page<Item>>;
  readonly largest?: number | undefined;
  /** The number of items that the quota counts. */
  readonly count?: ((options: CallOptions, left?: number) => Promise<number | undefined>) | undefined;
}

interface PageFollowing {
  readonly what: string;
  /** Receives the error for a possibly incomplete list; without it, the error is thrown. */
  readonly onIncomplete?: ((error: ServiceError) => void) | undefined;
}

/**
 * Yields all pages of a list, each item once; by default of the largest size. Reads the quota, too, if the first page
 * says neither how many items there are nor what follows.
 * @param request `deadline`: milliseconds for reading all pages, without the time that the caller takes between them
 * @throws ServiceError `server` after the last page if the list may be incomplete; NetworkError after the deadline
 */
export async function* followPages<Item>(
  fetch: FetchPage<Item>,
  { limit, deadline, signal }: Omit<PageRequest, 'page' | 'next'>,
  { what, onIncomplete }: PageFollowing,
): AsyncGenerator<Page<Item>> {
  const share = shareDeadline(deadline, what);
  const read: FetchPage<Item> = (request) => share((left) => fetch({ ...request, deadline }, left));
  const { page: first, limit: asked } = await readLargestPage(read, { limit, signal }, fetch.largest);
  const { count } = fetch;
  const isAsked = count !== undefined && isUncounted(first);
  const counted = isAsked ? await share((left) => count({ signal, deadline }, left)) : undefined;
  const course = new Course<Item>({ what, asked, counted });
  for (let page: Page<Item> | undefined = first; page !== undefined; ) {
    const { fresh, request } = course.take(page);
    if (fresh.length > 0 || page === first) yield { ...page, data: fresh };
    page =
      request &&
      (await read({ limit: asked, signal, ...request }).catch((error: unknown) => course.refuse(error)));
  }
  const error = course.incompleteness();
  if (error === undefined) return;
  if (onIncomplete === undefined) throw error;
  onIncomplete(error);
}

export async function* listItems<Item>(pages: AsyncIterable<Page<Item>>): AsyncGenerator<Item> {
  for await (const { data } of pages) yield* data;
}

/** Reads the first page, by default with up to 100 items or, if refused, without `limit`. @returns also `limit` */
export async function readLargestPage<Item>(
  fetch: FetchPage<Item>,
  request: Omit<PageRequest, 'page' | 'next'>,
  largest: number = fetch.largest ?? pageSize.max,
): Promise<{ readonly page: Page<Item>; readonly limit: number | undefined }> {
  const { limit = Math.min(pageSize.max, largest) } = request;
  try {
    return { page: await fetch({ ...request, limit }), limit };
  } catch (error) {
    const isRefused = error instanceof ServiceError && [400, 422].includes(error.details.status ?? 0);
    if (request.limit !== undefined || !isRefused) throw error;
    return { page: await fetch({ ...request, limit: undefined }), limit: undefined };
  }
}

/** Tells each call how many milliseconds of the deadline are left. */
function shareDeadline(deadline: number | undefined, what: string) {
  let left = deadline;
  return async <Value>(call: (left?: number) => Promise<Value>): Promise<Value> => {
    if (deadline === undefined || left === undefined) return call();
    if (left <= 0) {
      throw new NetworkError(`not all ${what} arrived before the deadline of ${formatDuration(deadline)}`, {
        retryable: true,
        hint: `raise the deadline, for example to ${formatDuration(2 * deadline)}`,
      });
    }
    const begun = performance.now();
    try {
      return await call(left);
    } finally {
      left -= performance.now() - begun;
    }
  };
}
