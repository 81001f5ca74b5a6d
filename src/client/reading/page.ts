import type { Quota } from '../../api/quota.js';
import type { Envelope } from '../../api/schema/envelope.js';

/** The next page: its path and query below the base URL, or a parameter and its value. */
export type NextPage = { readonly target: string } | { readonly parameter: string; readonly value: string };

/** Facts about further pages and the total, from a response's links, headers and fields. */
export interface Onward {
  readonly next?: NextPage;
  /** `next` is the ID of the last item, because the response only says that there are more. */
  readonly isLastId?: boolean;
  /** Why the linked page is not requested. */
  readonly refused?: string;
  readonly ends?: boolean;
  /** The body has only the items, and nothing says that there are further ones. */
  readonly isBare?: boolean;
  /** The total is only the quota in use. */
  readonly isQuota?: boolean;
  /** The quota in the headers. */
  readonly quota?: Quota | undefined;
  readonly pageParameter?: string | undefined;
  /** `page` counts from 1, even if the service counts from 0. */
  readonly isCountedFrom1?: boolean;
  readonly isUnnumbered?: boolean;
  /** `partial: true` is beside the rows. */
  readonly isPartial?: boolean;
}

/**
 * One page of a list. `page`, `limit`, `pages` and `total` are present if the response has them; `total` may come from
 * a header, such as `X-Total-Count` or `X-Quota-Used`.
 */
export type Page<Item> = Pick<Envelope<Item>, 'data'> &
  Partial<Omit<Envelope<Item>, 'data'>> & {
    readonly hasNext?: boolean;
    /** @internal */
    readonly onward?: Onward;
  };

/** Common page sizes: a list of such a length may be truncated, even if the next page repeats it. */
const usualSizes: ReadonlySet<number> = new Set([10, 20, 25, 50, 100]);

/** Whether a service with an unknown way of paging may have truncated a page. @param asked the requested size */
export function isPerhapsFull({ data, limit }: Page<unknown>, asked = Number.POSITIVE_INFINITY): boolean {
  return data.length >= asked || data.length === limit || usualSizes.has(data.length);
}

/** Whether a first page says neither how many items there are, nor whether another page follows. */
export function isUncounted({ total, pages, hasNext, onward = {} }: Page<unknown>): boolean {
  return total === undefined && pages === undefined && !(hasNext || onward.ends || onward.refused);
}
