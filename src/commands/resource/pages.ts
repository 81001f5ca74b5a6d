import type { Quota } from '../../api/quota.js';
import { type DeclaredResource, resources } from '../../api/resources/index.js';
import { type Resource, readId } from '../../api/resources/resource.js';
import type { Context } from '../../cli/context.js';
import type { PageRequest } from '../../client/api.js';
import { type FetchPage, followPages } from '../../client/follow-pages.js';
import { outline } from '../../client/reading/outline.js';
import { isPerhapsFull, isUncounted } from '../../client/reading/page.js';
import { isMarkedDeleted } from '../../client/reading/record-fields.js';
import { ServiceError, UsageError } from '../../errors/errors.js';

export interface ListOptions {
  readonly limit?: string | undefined;
  readonly page?: string | undefined;
  readonly all?: boolean | undefined;
}

export type FetchResources = FetchPage<Resource>;

/** Only the service knows the maximum limit. @throws UsageError for a bad number, and for `--page` with `--all` */
export function pageRequest({ limit, page, all }: ListOptions): PageRequest {
  if (all && page !== undefined) throw new UsageError('--all and --page cannot be combined');
  return { limit: parseInteger('--limit', limit), page: parseInteger('--page', page) };
}

function parseInteger(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) > 0 && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`${flag} ${text}: must be a whole number, 1 or more`);
}

/** The items of one page, by one request; a note says how to get any others. @throws ServiceError for another page */
export async function* onePage(
  fetch: FetchResources,
  request: PageRequest,
  context: Context,
  keep: (item: Resource) => boolean = () => true,
): AsyncGenerator<Resource> {
  const wanted = request.page ?? 1;
  // Page 1 is the first, however the service counts.
  const answer = await fetch(wanted === 1 ? { ...request, page: undefined } : request);
  const { data, total, pages, hasNext } = answer;
  if (wanted > 1 && answer.page !== undefined && answer.page !== wanted) {
    const what = `page ${wanted} was requested, but the service sent page ${answer.page}`;
    throw new ServiceError('server', what, { retryable: false, hint: '--all reads every page' });
  }
  const page = wanted > 1 ? wanted : Math.max(answer.page ?? 1, 1);
  const kept = data.filter(keep);
  yield* kept;
  const isNumbered = answer.page !== undefined || pages !== undefined;
  if (wanted > 1 && !isNumbered)
    await context.note(`page ${page} was requested; the response does not say which page it is`);
  const goesOn = hasNext || (pages !== undefined && pages > page && answer.onward?.ends !== true);
  // Only this page was searched: finding nothing here says nothing about the rest of the list.
  const isDoubtful = isPerhapsFull(answer, request.limit) || (data.length > 0 && kept.length === 0);
  const mayGoOn = !goesOn && isUncounted(answer) && isDoubtful;
  if (!goesOn && !mayGoOn && (total === undefined || total <= data.length)) return;
  const seen = `${kept.length === data.length ? 'showing' : 'searched'} ${data.length}`;
  const count = total === undefined ? seen : `${seen} of ${total}`;
  const place = wanted > 1 && !isNumbered ? '' : `, page ${page}${pages === undefined ? '' : ` of ${pages}`}`;
  const next = goesOn && isNumbered ? `; next page: --page ${page + 1}` : '';
  await context.note(
    `${count}${place}${next}; ${mayGoOn ? 'there may be more: --all' : 'everything: --all'}`,
  );
}

/** Figures of a list that was read to its end. */
export interface ListCounts {
  /** Number of records, including any that the service marks as deleted. */
  readonly listed: number;
  /** The quota in the headers of the last page. */
  readonly quota: Quota | undefined;
}

export interface ListWatch {
  readonly onDeleted?: (item: Resource) => void;
  readonly onEnd?: ((counts: ListCounts) => void) | undefined;
}

/**
 * All items of a list that must be complete, except any that the service marks as deleted.
 * @throws as `followPages`; ServiceError `server` for a missing ID
 */
export async function* allPages(
  fetch: FetchResources,
  request: PageRequest,
  what: string,
  context: Context,
  { onDeleted, onEnd }: ListWatch = {},
): AsyncGenerator<Resource> {
  let position = 0;
  for await (const item of readPages({ fetch, request, what, onEnd }, context)) {
    position += 1;
    if (readId(item) === undefined)
      throw refuseList(what, `item ${position} has no ID that a path can contain: ${outline(item)}`);
    if (isMarkedDeleted(item)) onDeleted?.(item);
    else yield item;
  }
}

/** @throws ServiceError `server` if a name is not text, or if all are missing: the service may use another field */
export function assertNamed({ kind, plural }: DeclaredResource, items: readonly Resource[]): void {
  const other = items.find(({ name }) => typeof name !== 'string');
  const isOdd = items.some(({ name }) => typeof name !== 'string' && name !== null && name !== undefined);
  const isUnnamed = items.every(({ name }) => typeof name !== 'string');
  // Keys may all be without a name.
  const isUsual = kind === 'api-keys' && items.some(({ name }) => name === null);
  if (other !== undefined && (isOdd || (isUnnamed && !isUsual)))
    throw refuseList(plural, `the names cannot be read: ${outline(other)}`);
}

function refuseList(what: string, why: string): ServiceError {
  const kind = resources.find(({ plural }) => plural === what)?.kind ?? what;
  return new ServiceError('server', `the list of ${what} is unreliable: ${why}`, {
    retryable: false,
    hint: 'see what the service returns',
    next: ['orgctl', kind, 'list', '--all', '-o', 'json'],
  });
}

export interface WholeList {
  readonly fetch: FetchResources;
  readonly request: PageRequest;
  /** Name of the items in progress and errors, such as `teams`. */
  readonly what: string;
  readonly onEnd?: ListWatch['onEnd'];
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
  { fetch, request, what, onEnd }: WholeList,
  context: Context,
  onIncomplete?: (error: ServiceError) => void,
): AsyncGenerator<Resource> {
  let progress: Awaited<ReturnType<Context['progress']>> | undefined;
  let listed = 0;
  let quota: Quota | undefined;
  try {
    for await (const { data, total, onward } of followPages(fetch, request, { what, onIncomplete })) {
      progress ??= await context.progress({ label: `reading ${what}`, total });
      listed += data.length;
      quota = onward?.quota;
      for (const item of data) {
        yield item;
        progress.tick();
      }
    }
    onEnd?.({ listed, quota });
  } finally {
    progress?.done();
  }
}
