import { isResource, readId } from '../../api/resources/resource.js';
import { printJson } from '../../text/exact-json.js';
import type { NextPage, Page } from './page.js';

/** Whether a page has a number, a position, or a size that it fills. */
export function speaksOfPages({ data, page, limit = data.length + 1, onward = {} }: Page<unknown>): boolean {
  return page !== undefined || onward.offset !== undefined || data.length >= limit;
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

export function pageKey([first]: readonly unknown[]): string {
  return toRepeatKey(first);
}

/** Identifies an item by its ID, because other fields may change meanwhile; without an ID, by its content. */
export function toRepeatKey(item: unknown): string {
  const id = isResource(item) ? readId(item) : undefined;
  return id ?? printJson(item ?? null);
}
