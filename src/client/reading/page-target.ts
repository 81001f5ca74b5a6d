import type { ListForms } from './forms.js';
import type { NextPage } from './page.js';

export function pageTarget(
  target: string,
  {
    limit,
    page,
    next,
  }: {
    readonly limit?: number | undefined;
    readonly page?: number | undefined;
    readonly next?: NextPage | undefined;
  },
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
