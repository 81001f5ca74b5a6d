import type { Quota } from '../../api/quota.js';
import type { Envelope } from '../../api/schema/envelope.js';

/** The next page: its path and query below the base URL, or a parameter and its value. */
export type NextPage = { readonly target: string } | { readonly parameter: string; readonly value: string };

/** Facts about further pages and the total, from a response's links, headers and fields. */
export interface Onward {
  readonly next?: NextPage;
  /** Why the linked page is not requested. */
  readonly refused?: string;
  readonly ends?: boolean;
  /** The total is only the quota in use. */
  readonly isQuota?: boolean;
  /** The quota in the headers. */
  readonly quota?: Quota | undefined;
  readonly pageParameter?: string | undefined;
  /** The number of the first page, if a dialect pins it. */
  readonly firstPage?: 1 | undefined;
  readonly isUnnumbered?: boolean;
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

/** Whether a first page says neither how many items there are, nor whether another page follows. */
export function isUncounted({ total, pages, hasNext, onward = {} }: Page<unknown>): boolean {
  return total === undefined && pages === undefined && !(hasNext || onward.ends || onward.refused);
}
