import type { Dialect } from '../../api/dialect/dialect.js';
import { knownForms, type ListForms } from '../reading/forms.js';

/** Forms to look for in lists: the expected dialect's names first, then usual ones. */
export interface SoughtForms {
  readonly list: ListForms;
  readonly sizes: readonly string[];
  /** Candidate parameters for a page's number, a cursor or an ID. */
  readonly ways: readonly string[];
}

const usualSizes = ['limit', 'pageSize', 'page_size', 'per_page', 'perPage'];

export function seekForms(expected: Dialect['list'] | undefined): SoughtForms {
  const { list } = knownForms;
  const { fields, parameters } = expected ?? {};
  const own = (name: string | null | undefined) => (typeof name === 'string' ? [name] : []);
  const first = (names: readonly string[], name: string | null | undefined) => [
    ...new Set([...own(name), ...names]),
  ];
  const way = parameters?.page ?? undefined;
  const sent = (field: string) => ({ field, parameter: way ?? field });
  const pages = [...own(fields?.page).map(sent), ...list.page];
  return {
    list: {
      ...list,
      items: [...new Set([...own(expected?.items), ...list.items])],
      metas: first(list.metas, expected?.meta),
      total: first(list.total, fields?.total),
      pages: first(list.pages, fields?.pages),
      limit: first(list.limit, fields?.limit),
      page: pages,
      next: [...own(fields?.next).map(sent), ...list.next],
      hasMore: first(list.hasMore, fields?.hasMore),
      totalHeaders: first(list.totalHeaders, expected?.totalHeader?.toLowerCase()),
    },
    sizes: first(usualSizes, parameters?.limit),
    ways: first(['page', ...new Set(list.page.map(({ parameter }) => parameter))], way),
  };
}
