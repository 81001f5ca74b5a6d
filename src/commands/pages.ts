import type { Page, PageRequest } from '../client/resource-api.js';
import type { Context } from '../context.js';
import type { Resource } from '../contract/resource.js';
import { UsageError } from '../errors.js';

export interface ListOptions {
  readonly limit?: string | undefined;
  readonly page?: string | undefined;
  readonly all?: boolean | undefined;
}

type Fetch = (request: PageRequest) => Promise<Page>;

/** Which page was asked for. @throws UsageError for what is no positive integer, and for `--page` with `--all` */
export function pageRequest({ limit, page, all }: ListOptions): PageRequest {
  if (all && page !== undefined) throw new UsageError('--all and --page exclude each other');
  return { limit: positiveInteger('--limit', limit), page: positiveInteger('--page', page) };
}

function positiveInteger(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text);
  throw new UsageError(`${flag} ${text}: not a positive integer`);
}

/** The items of one page; when the service says that there are more, a note tells how to get them. */
export async function* onePage(
  fetch: Fetch,
  request: PageRequest,
  context: Pick<Context, 'note'>,
): AsyncGenerator<Resource> {
  const answer = await fetch(request);
  yield* answer.data;
  const { total, page, pages } = answer;
  if (total === undefined || page === undefined || pages === undefined || page >= pages) return;
  await context.note(
    `page ${page} of ${pages}, ${answer.data.length} of ${total} shown; the rest: --all, or --page ${page + 1}`,
  );
}

/** The items of all pages, one page in memory at a time. */
export async function* allPages(fetch: Fetch, request: PageRequest): AsyncGenerator<Resource> {
  for (let page = 1; ; page++) {
    // The first page is asked for without `page`, as the reference shows it; what follows is ours.
    const answer = await fetch(page === 1 ? { limit: request.limit } : { ...request, page });
    yield* answer.data;
    if (answer.pages === undefined || page >= answer.pages || answer.data.length === 0) return;
  }
}
