import type { Envelope } from '../../api/schema/envelope.js';
import type { ApiRequest } from '../exchange/request.js';
import type { ListForms } from './forms.js';

/** Options of every call. */
export type CallOptions = Pick<ApiRequest, 'signal' | 'deadline'>;

export type NextPage = { readonly target: string } | { readonly parameter: string; readonly value: string };

export interface PageRequest extends CallOptions {
  /** Page size; the embedded service accepts 1 to 100, and defaults to 20. */
  readonly limit?: number | undefined;
  /** Page number, from 1. */
  readonly page?: number | undefined;
  readonly next?: NextPage | undefined;
}

/** The path and query that request a page of the list at `target`. */
export function pageTarget(
  target: string,
  { limit, page, next }: PageRequest,
  { limitParameter, pageParameter, firstPage }: ListForms,
): string {
  if (next !== undefined && 'target' in next) return next.target;
  const query = new URLSearchParams();
  if (limit !== undefined && limitParameter !== undefined) query.set(limitParameter, String(limit));
  if (page !== undefined && pageParameter !== undefined) {
    query.set(pageParameter, String(firstPage === 0 ? page - 1 : page));
  }
  if (next !== undefined) query.set(next.parameter, next.value);
  if (query.size === 0) return target;
  return `${target}${target.includes('?') ? '&' : '?'}${query}`;
}

export interface Onward {
  readonly next?: NextPage;
  /** Why the linked page is not requested. */
  readonly refused?: string;
  readonly ends?: boolean;
  /** The body has only the items, and nothing says that there are further ones. */
  readonly isBare?: boolean;
  /** The total is only the `used` of the quota. */
  readonly isQuota?: boolean;
  readonly pageParameter?: string | undefined;
  /** The number of the first page, if a dialect pins it. */
  readonly firstPage?: 1 | undefined;
  readonly isUnnumbered?: boolean;
}

/** One page of a list, with the counts that the response has; `total` may be the `used` of the quota. */
export type Page<Item> = Pick<Envelope<Item>, 'data'> &
  Partial<Omit<Envelope<Item>, 'data'>> & {
    readonly hasNext?: boolean;
    /** @internal */
    readonly onward?: Onward;
  };

/** Whether a first page says neither how many items there are, nor what follows. */
export function isUncounted({ total, pages, hasNext, onward = {} }: Page<unknown>): boolean {
  return total === undefined && pages === undefined && !(hasNext || onward.ends || onward.refused);
}
