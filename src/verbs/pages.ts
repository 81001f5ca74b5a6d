import type { Quota } from '../api/quota.js';
import type { Resource } from '../api/resources/resource.js';
import type { Context } from '../cli/context.js';
import type { Page, PageRequest } from '../client/api.js';
import { type FetchPage as FetchPageOf, followPages } from '../client/follow-pages.js';
import { isPerhapsFull, isUncounted } from '../client/reading/compare-pages.js';
import { readDeletionMark } from '../client/reading/deletion-mark.js';
import type { NextPage } from '../client/reading/page.js';
import { ServiceError, UsageError } from '../errors/errors.js';
import { countNoun } from '../text/count-noun.js';
import { distinctItems, watchRepeats } from './distinct-items.js';

export interface ListOptions {
  readonly limit?: string | undefined;
  readonly page?: string | undefined;
  readonly all?: boolean | undefined;
}

export type FetchResources = FetchPageOf<Resource>;

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

/** The items of one page; a note says how to get any others. */
export async function* onePage(
  fetch: FetchResources,
  request: PageRequest,
  context: Pick<Context, 'note'>,
  keep?: (item: Resource) => boolean,
): AsyncGenerator<Resource> {
  const answer = await fetchPage(fetch, request);
  const { data, total, page = request.page ?? 1, pages, hasNext } = answer;
  const kept = keep === undefined ? data : data.filter(keep);
  yield* kept;
  const isUnknown = isPageUnknown(answer, request);
  if (isUnknown) {
    await context.note(`page ${page} was requested; the response does not say which page it is`);
  }
  if (data.length === 0 && pages !== undefined && page > Math.max(pages, 1)) {
    return context.note(
      `there is no page ${page}: the list has ${countNoun(pages, 'page')}; everything: --all`,
    );
  }
  // Page numbers may start at 0: page 0 of 1 and page 1 of 2 are then the last ones.
  const goesOn = hasNext || (pages !== undefined && pages > Math.max(page, 1) && !isLast(answer));
  // Only this page was searched: finding nothing here says nothing about the rest of the list.
  const isDoubtful = isPerhapsFull(answer, request.limit) || (data.length > 0 && kept.length === 0);
  const mayGoOn = !goesOn && isUncounted(answer) && isDoubtful;
  if (!goesOn && !mayGoOn && (total === undefined || total <= data.length)) return;
  const seen = keep === undefined ? 'showing' : 'searched';
  const count = total === undefined ? `${data.length}` : `${data.length} of ${total}`;
  const place = isUnknown ? '' : `, page ${page}${pages === undefined ? '' : ` of ${pages}`}`;
  const number = goesOn ? nextNumber(answer, page) : undefined;
  const next = number === undefined ? '' : `; next page: --page ${number}`;
  const all = mayGoOn ? 'there may be more: --all' : 'everything: --all';
  await context.note(`${seen} ${count}${place}${next}; ${all}`);
}

/** Whether a page says that it is the last one, or has fewer items than earlier pages. */
function isLast({ data, total = 0, pages = 0, onward }: Page): boolean {
  return onward?.ends === true || (!onward?.isQuota && data.length * pages < total);
}

/** Requests a page, if needed with the service's parameter names. @throws ServiceError `server` if it gets another page */
async function fetchPage(fetch: FetchResources, request: PageRequest): Promise<Page> {
  const { page: wanted, ...unnumbered } = request;
  // The first page is number 0 or 1.
  const asked = wanted === 1 ? unnumbered : request;
  const first = await fetch(asked);
  const isFrom0 = mayBeFrom0(first, request) && (await fetch(unnumbered)).page === 0;
  const names = isFrom0 ? { firstPage: 0 as const } : otherNames(first, asked);
  const answer = toCounted(names === undefined ? first : await fetch({ ...asked, names }), asked, names);
  if (wanted === undefined || wanted === 1 || answer.page === wanted) return answer;
  const otherwise = whyOtherPage(answer, wanted);
  if (otherwise === undefined) return answer;
  throw new ServiceError('server', `page ${wanted} was requested, but the service ${otherwise}`, {
    retryable: false,
    hint: '--all reads every page',
  });
}

/** Whether a response has the requested number, 2 or higher, in either way of counting. */
function mayBeFrom0({ data, page, pages, onward }: Page, { page: wanted = 1 }: PageRequest): boolean {
  const isLastFrom1 = data.length > 0 && pages === wanted;
  return wanted > 1 && page === wanted && !onward?.isCountedFrom1 && !isLastFrom1;
}

/** How a response shows that it is not page `wanted`, 2 or higher; `undefined` if it may be. */
function whyOtherPage({ data, total, page, onward = {} }: Page, wanted: number): string | undefined {
  if (page !== undefined) return `sent page ${page}`;
  const { next, offset, before, isCountedFrom1 } = onward;
  const fitting = {
    items: wanted * data.length,
    pages: isCountedFrom1 ? [wanted, wanted + 1] : [wanted + 1],
  };
  const isFirst = before === 0 || (offset !== undefined && Number(offset.value) === data.length);
  if (isFirst || (next !== undefined && !leadsOn(next, fitting))) return 'does not number its pages this way';
  return data.length > 0 && total === data.length ? `sent all ${countNoun(total, 'item')}` : undefined;
}

interface Following {
  /** Number of items before the following page. */
  readonly items: number;
  /** Possible numbers of the following page, because the service may count from 0. */
  readonly pages: readonly number[];
}

/** Whether a link shows the number of the following page, or of the items before it; a cursor shows neither. */
function leadsOn(next: NextPage, { items, pages }: Following): boolean {
  if ('parameter' in next) return next.parameter === 'page';
  const { searchParams } = new URL(next.target, 'http://service');
  return [...searchParams].some(([name, value]) => {
    if (/limit|size|per/i.test(name)) return false;
    const isPlace = /offset|skip|start|from|after/i.test(name);
    return isPlace ? Number(value) === items : pages.includes(Number(value));
  });
}

/** Whether neither the response nor a pinned dialect shows which page it is; always false for page 1. */
function isPageUnknown({ page, pages, onward }: Page, { page: wanted = 1 }: PageRequest): boolean {
  const { isQuota: _quota, isTotalInHeader: _header, sign: _sign, ...place } = onward ?? {};
  const isShown = Object.keys(place).length > 0;
  return wanted > 1 && page === undefined && pages === undefined && !isShown;
}

/** Numbers the page as --page does, from 1, if the service is known to count from 0. */
function toCounted(answer: Page, { page: wanted }: PageRequest, names: PageRequest['names']): Page {
  const { page } = answer;
  const isFrom0 = wanted === undefined && page === 0;
  return page !== undefined && (isFrom0 || names?.firstPage === 0) ? { ...answer, page: page + 1 } : answer;
}

/** The service's own names for parameters that it ignored under their usual names. */
function otherNames({ page, limit, onward = {} }: Page, request: PageRequest): PageRequest['names'] {
  const { pageParameter, limitParameter } = onward;
  const isOtherPage = request.page !== undefined && pageParameter !== undefined && page !== request.page;
  const isOtherSize = request.limit !== undefined && limitParameter !== undefined && limit !== request.limit;
  if (!(isOtherPage || isOtherSize)) return undefined;
  return {
    ...(isOtherSize && { limitParameter }),
    ...(isOtherPage && { pageParameter, ...((page === 0 || page === 1) && { firstPage: page }) }),
  };
}

function nextNumber({ onward }: Page, page: number): number | undefined {
  const { next } = onward ?? {};
  if (next === undefined) return onward?.isUnnumbered || onward?.refused ? undefined : page + 1;
  const isNumbered =
    'parameter' in next ? next.parameter === 'page' : /[?&]page=\d+(?:&|$)/.test(next.target);
  return isNumbered ? page + 1 : undefined;
}

export interface WholeList {
  readonly fetch: FetchResources;
  readonly request: PageRequest;
  /** Name of the items in progress and errors, such as `teams`. */
  readonly what: string;
  readonly onEnd?: ListWatch['onEnd'];
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
  readonly onEnd?: (counts: ListCounts) => void;
}

/**
 * All items of a list that must be complete, except any that the service marks as deleted.
 * @throws as `followPages`; ServiceError `server` for a missing or duplicate ID
 */
export async function* allPages(
  fetch: FetchResources,
  request: PageRequest,
  what: string,
  context: Pick<Context, 'progress'>,
  { onDeleted, onEnd }: ListWatch = {},
): AsyncGenerator<Resource> {
  for await (const item of distinctItems(readPages({ fetch, request, what, onEnd }, context), what)) {
    if (readDeletionMark(item) === true) onDeleted?.(item);
    else yield item;
  }
}

/** Passes all items to `take`. @throws as `followPages`; ServiceError `server` for an incomplete list, after `take` */
export async function takeAllPages(
  list: WholeList,
  context: Pick<Context, 'progress'>,
  take: (items: AsyncIterable<Resource>) => Promise<void>,
): Promise<void> {
  const found: ServiceError[] = [];
  const note = (error: ServiceError) => found.push(error);
  await take(watchRepeats(readPages(list, context, note), list.what, note));
  for (const error of found) throw error;
}

async function* readPages(
  { fetch, request, what, onEnd }: WholeList,
  context: Pick<Context, 'progress'>,
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
