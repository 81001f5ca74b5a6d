import { pageSize } from '../contract/envelope.js';
import type { PageRequest } from '../storage/page.js';
import { badRequest } from './pipeline/http-error.js';

/**
 * The page that a list's query asks for: `limit` from 1 to 100, default 20, and `page` from 1 [ours].
 * @throws HttpError 400 for anything else, also for one given twice.
 */
export function parsePageQuery(query: unknown): PageRequest {
  return {
    limit: parse(query, 'limit', pageSize.default, pageSize.max),
    // Above this, rows before the page would no longer be a number that every engine can count to.
    page: parse(query, 'page', 1, 1_000_000_000_000),
  };
}

function parse(query: unknown, name: string, whenAbsent: number, max: number): number {
  const value: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, name) : undefined;
  if (value === undefined) return whenAbsent;
  const number = typeof value === 'string' && /^[1-9]\d{0,12}$/.test(value) ? Number(value) : 0;
  if (number < 1 || number > max) throw badRequest(`${name} must be one integer from 1 to ${max}`, 'query');
  return number;
}
