import type { Envelope } from '../../api/schema/envelope.js';

/** The next page: its address below the base URL, or a parameter and its value. */
export type NextPage = { readonly target: string } | { readonly parameter: string; readonly value: string };

/** The link to the following pages; absent if the response has only figures. */
export interface Onward {
  readonly next?: NextPage;
  /** Why the linked page is not requested. */
  readonly refused?: string;
  readonly ends?: true;
  /** The field that marks the page as incomplete. */
  readonly partial?: string;
  /** The total is only the quota's use. */
  readonly isQuota?: true;
  readonly pageParameter?: string;
  readonly limitParameter?: string;
  readonly offset?: { readonly parameter: string; readonly value: string };
  /** How many items come before the page, by a header. */
  readonly before?: number;
  /** Pages are numbered from 1 here, whatever the service does. */
  readonly isCountedFrom1?: true;
  /** The service does not number its pages. */
  readonly isUnnumbered?: true;
}

/**
 * One page of a list. `page`, `limit`, `pages` and `total` are present if the service gives them; for a bare array,
 * `total` is `X-Total-Count`, or `X-Quota-Used` if at least the array's length.
 */
export type Page<Item> = Pick<Envelope<Item>, 'data'> &
  Partial<Omit<Envelope<Item>, 'data'>> & {
    readonly hasNext?: true;
    /** @internal */
    readonly onward?: Onward;
  };
