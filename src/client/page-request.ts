import type { ApiRequest } from './exchange/request.js';
import type { ListForms } from './reading/forms.js';
import type { NextPage } from './reading/page.js';

/** Options of every call. */
export type CallOptions = Pick<ApiRequest, 'signal' | 'deadline'>;

/** Which page of a list to fetch. Absent options have the service's defaults. */
export interface PageRequest extends CallOptions {
  /** Page size; the embedded service accepts 1 to 100, and defaults to 20. */
  readonly limit?: number | undefined;
  /** Page number, from 1. */
  readonly page?: number | undefined;
  /** The next page, as linked from another page. */
  readonly next?: NextPage | undefined;
}

/** The target of a page of the list at `target`. */
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
