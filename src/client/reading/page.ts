import type { Envelope } from '../../api/schema/envelope.js';

/** How to ask for the page after one: its address below the base URL, or a parameter and its value. */
export type NextPage = { readonly target: string } | { readonly parameter: string; readonly value: string };

/** Link to the pages after this one. Absent if the response has only figures. */
export interface Onward {
  readonly next?: NextPage;
  /** Why the page that is named is not asked for. */
  readonly refused?: string;
  /** The answer says that it is the last. */
  readonly ends?: true;
  /** The total is only what the quota has in use. */
  readonly isQuota?: true;
  /** The parameter that takes the number of a page, if that is not the usual one. */
  readonly pageParameter?: string;
  /** The parameter that takes the size of a page, if that is not the usual one. */
  readonly limitParameter?: string;
  readonly offset?: { readonly parameter: string; readonly value: string };
  /** The number of the first page is known to be 1 here, whatever the service calls it. */
  readonly isCountedFrom1?: true;
  /** The service does not number its pages. */
  readonly isUnnumbered?: true;
}

/**
 * One page of a list. `page`, `limit`, `pages` and `total` are present where the service says them; of a bare array,
 * `total` is what `X-Total-Count` says, or `X-Quota-Used` where that is no less than the array's length.
 */
export type Page<Item> = Pick<Envelope<Item>, 'data'> &
  Partial<Omit<Envelope<Item>, 'data'>> & {
    /** The service names a next page. */
    readonly hasNext?: true;
    /** @internal */
    readonly onward?: Onward;
  };
