import type { DeclaredResource } from '../../api/resources/index.js';
import { type Resource, readId } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import { type FetchPage, followPages } from '../../client/follow-pages.js';
import { outline } from '../../client/reading/outline.js';
import { isUncounted, type PageRequest } from '../../client/reading/page.js';
import { ServiceError, UsageError } from '../../errors/errors.js';

export interface ListOptions {
  readonly limit?: string | undefined;
  readonly page?: string | undefined;
  readonly all?: boolean | undefined;
}

/** The smallest usual page size: a page with fewer items is probably the last. */
const smallestPage = 10;

export type FetchResources = FetchPage<Resource>;

/** Only the service knows the maximum limit. @throws UsageError for a bad number */
export function pageRequest({ limit, page }: ListOptions): PageRequest {
  return { limit: parseInteger('--limit', limit), page: parseInteger('--page', page) };
}

function parseInteger(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) > 0 && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`${flag} ${text}: must be a whole number, 1 or more`);
}

/** The items of one page, by one request; a note says how to get any others. @throws ServiceError if another page comes */
export async function* onePage(
  fetch: FetchResources,
  request: PageRequest,
  context: Context,
  keep: (item: Resource) => boolean = () => true,
): AsyncGenerator<Resource> {
  const wanted = request.page ?? 1;
  // Page 1 is the first, even if the service counts from 0.
  const answer = await fetch(wanted === 1 ? { ...request, page: undefined } : request);
  const { data, total, pages, page, hasNext } = answer;
  if (wanted > 1 && page !== undefined && page !== wanted) {
    const what = `page ${wanted} was requested, but the service sent page ${page}`;
    throw new ServiceError('server', what, { retryable: false, hint: '--all reads every page' });
  }
  const kept = data.filter(keep);
  yield* kept;
  const goesOn = hasNext || (pages !== undefined && pages > wanted && answer.onward?.ends !== true);
  const isFull = data.length >= (request.limit ?? answer.limit ?? smallestPage);
  const mayGoOn = !goesOn && isUncounted(answer) && isFull;
  if (!goesOn && !mayGoOn && (total === undefined || total <= data.length)) return;
  const count = total === undefined ? data.length : `${data.length} of ${total}`;
  const seen = `${kept.length === data.length ? 'showing' : 'searched'} ${count}`;
  const place = `, page ${wanted}${pages === undefined ? '' : ` of ${pages}`}`;
  const next = goesOn && (page ?? pages) !== undefined ? `; next page: --page ${wanted + 1}` : '';
  await context.note(`${seen}${place}${next}; ${mayGoOn ? 'there may be more' : 'everything'}: --all`);
}

/** All items of a list that must be complete. @throws as `followPages`; ServiceError `server` for a missing ID */
export async function* allPages(
  fetch: FetchResources,
  resource: DeclaredResource,
  context: Context,
  deadline?: number,
): AsyncGenerator<Resource> {
  for await (const item of readPages({ fetch, request: { deadline }, what: resource.plural }, context)) {
    if (readId(item) === undefined)
      throw refuseList(resource, `an item has no ID that a path can contain: ${outline(item)}`);
    yield item;
  }
}

/** @throws ServiceError `server` if a name is not text, or if all are missing: the service may use another field */
export function assertNamed(resource: DeclaredResource, items: readonly Resource[]): void {
  const other = items.find(({ name }) => typeof name !== 'string');
  const isOdd = items.some(({ name }) => typeof name !== 'string' && name !== null && name !== undefined);
  const isUnnamed = items.every(({ name }) => typeof name !== 'string');
  // Keys may all be without a name.
  const isUsual = resource.kind === 'api-keys' && items.some(({ name }) => name === null);
  if (other !== undefined && (isOdd || (isUnnamed && !isUsual)))
    throw refuseList(resource, `the names cannot be read: ${outline(other)}`);
}

function refuseList({ kind, plural }: DeclaredResource, why: string): ServiceError {
  return new ServiceError('server', `the list of ${plural} is unreliable: ${why}`, {
    retryable: false,
    hint: 'see what the service returns',
    next: ['orgctl', kind, 'list', '--all', '-o', 'json'],
  });
}

export interface WholeList {
  readonly fetch: FetchResources;
  readonly request: PageRequest;
  readonly what: string;
}

/** Passes all items to `take`. @throws as `followPages`; ServiceError `server` for an incomplete list, after `take` */
export async function takeAllPages(
  list: WholeList,
  context: Context,
  take: (items: AsyncIterable<Resource>) => Promise<void>,
): Promise<void> {
  const found: ServiceError[] = [];
  await take(readPages(list, context, (error) => found.push(error)));
  for (const error of found) throw error;
}

async function* readPages(
  { fetch, request, what }: WholeList,
  context: Context,
  onIncomplete?: (error: ServiceError) => void,
): AsyncGenerator<Resource> {
  let progress: Awaited<ReturnType<Context['progress']>> | undefined;
  try {
    for await (const { data, total } of followPages(fetch, request, { what, onIncomplete })) {
      progress ??= await context.progress({ label: `reading ${what}`, total });
      for (const item of data) {
        yield item;
        progress.tick();
      }
    }
  } finally {
    progress?.done();
  }
}
