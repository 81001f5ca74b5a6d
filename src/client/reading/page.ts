import type { Quota } from '../../api/quota.js';
import type { Envelope } from '../../api/schema/envelope.js';

/** The next page: its path and query below the base URL, or a parameter and its value. */
export type NextPage = { readonly target: string } | { readonly parameter: string; readonly value: string };

/** Facts about further pages and the total, from a response's links, headers and fields. */
export interface Onward {
  readonly next?: NextPage;
  /** Why the linked page is not requested. */
  readonly refused?: string;
  readonly ends?: true;
  /** The field that marks the page as incomplete. */
  readonly partial?: string;
  /** A field or header that suggests further items in an unknown form. */
  readonly sign?: string;
  /** The total is only the quota in use. */
  readonly isQuota?: true;
  /** The quota in the headers. */
  readonly quota?: Quota;
  readonly isTotalInHeader?: true;
  readonly pageParameter?: string;
  readonly limitParameter?: string;
  readonly offset?: { readonly parameter: string; readonly value: string };
  /** Number of items before the page, by a header. */
  readonly before?: number;
  /** `page` counts from 1, even if the service counts from 0. */
  readonly isCountedFrom1?: true;
  readonly isUnnumbered?: true;
}

/**
 * One page of a list. `page`, `limit`, `pages` and `total` are present if the response has them; `total` may come from
 * a header, such as `X-Total-Count` or `X-Quota-Used`.
 */
export type Page<Item> = Pick<Envelope<Item>, 'data'> &
  Partial<Omit<Envelope<Item>, 'data'>> & {
    readonly hasNext?: true;
    /** @internal */
    readonly onward?: Onward;
  };
