import type { PageRequest } from '../client/api.js';
import { type FetchPage as FetchPageOf, followPages } from '../client/follow-pages.js';
import type { Context } from '../context.js';
import type { Resource } from '../contract/resource.js';
import { UsageError } from '../errors.js';

export interface ListOptions {
  readonly limit?: string | undefined;
  readonly page?: string | undefined;
  readonly all?: boolean | undefined;
}

/** Reads one page of a list. */
export type FetchPage = FetchPageOf<Resource>;

/**
 * The requested page. The service decides how large a page may be.
 *
 * @throws UsageError for what is no integer from 1, and for `--page` with `--all`
 */
export function pageRequest({ limit, page, all }: ListOptions): PageRequest {
  if (all && page !== undefined) throw new UsageError('--all and --page cannot be combined');
  return { limit: integer('--limit', limit), page: integer('--page', page) };
}

function integer(flag: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d+$/.test(text) && Number(text) > 0 && Number.isSafeInteger(Number(text))) return Number(text);
  throw new UsageError(`${flag} ${text}: not a whole number from 1`);
}

/** The items of one page; if the envelope announces more, a note says how to get them. */
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

/**
 * The items of all pages, with progress, and a note when fewer came than the service announced.
 *
 * @param what the items, for progress and notes, such as `teams`
 * @throws as `followPages`
 */
export async function* allPages(
  fetch: FetchPage,
  request: PageRequest,
  what: string,
  context: Pick<Context, 'note' | 'progress'>,
): AsyncGenerator<Resource> {
  let progress: Awaited<ReturnType<Context['progress']>> | undefined;
  let missing: string | undefined;
  const onMissing = (note: string) => {
    missing = note;
  };
  try {
    for await (const { data, total } of followPages(fetch, request, { what, onMissing })) {
      progress ??= await context.progress({ label: `reading ${what}`, total });
      for (const item of data) {
        yield item;
        progress.tick();
      }
    }
  } finally {
    progress?.done();
  }
  if (missing !== undefined) await context.note(missing);
}
