import { usualPageSizes } from './forms.js';
import type { Page } from './page.js';
import { isSamePage } from './same-page.js';

/** Whether a service with an unknown way of paging may have truncated a page. @param asked the requested size */
export function isPerhapsFull(
  { data: { length }, limit }: Page<unknown>,
  asked: number | undefined,
): boolean {
  return length >= (asked ?? Number.POSITIVE_INFINITY) || length === limit || usualPageSizes.has(length);
}

/** Whether the total of a first page may count only that page. */
export function mayCountPage(first: Page<unknown>, asked: number | undefined): boolean {
  const { data, total, onward } = first;
  return total === data.length && !onward?.isQuota && isPerhapsFull(first, asked);
}

/** Whether the first two pages differ, and each reports as many items as it has. */
export function totalsCountPages(first: Page<unknown>, second: Page<unknown>): boolean {
  const isOwn = ({ data, total, onward }: Page<unknown>) => total === data.length && !onward?.isQuota;
  return isOwn(first) && isOwn(second) && second.data.length > 0 && !isSamePage(first.data, second.data);
}

export function withoutTotal({ total: _ofPage, ...page }: Page<unknown>): Page<unknown> {
  return page;
}
