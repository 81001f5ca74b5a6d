import { isResource, readId } from '../../api/resources/resource.js';
import { printJson } from '../../text/exact-json.js';
import { shorten } from '../exchange/json-body.js';
import { usualPageSizes } from './forms.js';
import type { NextPage, Page } from './page.js';

/** Whether a page reports its number or position, or has as many items as its limit. */
export function speaksOfPages({ data, page, limit = data.length + 1, onward = {} }: Page<unknown>): boolean {
  return page !== undefined || onward.offset !== undefined || data.length >= limit;
}

/** The reported number of pages; `undefined` if it is below 1 although the page has items. */
export function readPages({ data, pages }: Page<unknown>): number | undefined {
  return data.length > 0 && pages !== undefined && pages < 1 ? undefined : pages;
}

/** Whether a first page says neither how many items there are, nor whether another page follows. */
export function isUncounted(first: Page<unknown>): boolean {
  const { total, hasNext, onward = {} } = first;
  const isCounted = total !== undefined || readPages(first) !== undefined;
  return !(isCounted || hasNext || onward.ends || onward.refused);
}

export function isSamePage(one: readonly unknown[], other: readonly unknown[]): boolean {
  return (
    one.length > 0 &&
    one.length === other.length &&
    one.every((item, at) => toRepeatKey(item) === toRepeatKey(other[at]))
  );
}

export function isSameWay(one: NextPage | undefined, other: NextPage): boolean {
  if (one === undefined) return false;
  return 'target' in one
    ? 'target' in other && one.target === other.target
    : 'parameter' in other && one.parameter === other.parameter && one.value === other.value;
}

/** Whether a page begins at a position, which deletions shift, rather than at an item. */
export function isByPosition(way: NextPage | undefined): boolean {
  if (way === undefined) return true;
  return 'parameter' in way
    ? /^\d+$/.test(way.value)
    : /[?&](?:page|offset|skip|start)\w*=\d+(?:&|$)/i.test(way.target);
}

export function pageKey([first]: readonly unknown[]): string {
  return toRepeatKey(first);
}

/** Identifies an item by its ID, because other fields may change meanwhile; without an ID, by its content. */
export function toRepeatKey(item: unknown): string {
  const id = isResource(item) ? readId(item) : undefined;
  return id ?? printJson(item ?? null);
}

/** Whether a service with an unknown way of paging may have truncated a page. @param asked the requested size */
export function isPerhapsFull(
  { data: { length }, limit, onward }: Page<unknown>,
  asked: number | undefined,
): boolean {
  if (onward?.sign !== undefined) return true;
  return length >= (asked ?? Number.POSITIVE_INFINITY) || length === limit || usualPageSizes.has(length);
}

/** Whether the total of a first page may count only that page. Totals in headers rarely do. */
export function mayCountPage(first: Page<unknown>, asked: number | undefined): boolean {
  const { data, total, limit, onward } = first;
  if (data.length === 0 || total !== data.length || onward?.isQuota) return false;
  return (limit === undefined && !onward?.isTotalInHeader) || isPerhapsFull(first, asked);
}

/** Whether the first two pages differ, and each reports as many items as it has. */
export function totalsCountPages(first: Page<unknown>, second: Page<unknown>): boolean {
  const isOwn = ({ data, total, onward }: Page<unknown>) => total === data.length && !onward?.isQuota;
  return isOwn(first) && isOwn(second) && !isSamePage(first.data, second.data);
}

export function withoutTotal({ total: _ofPage, ...page }: Page<unknown>): Page<unknown> {
  return page;
}

export function describeSign(sign: string): string {
  return `${JSON.stringify(shorten(sign, 120))} in the response suggests that there are more`;
}
