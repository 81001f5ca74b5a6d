import { pageNumber, pageSize } from '../contract/envelope.js';
import type { PageRequest } from '../storage/resources.js';
import { badRequest } from './pipeline/http-error.js';

/**
 * The page that a list's query asks for: `limit` from 1 to 100, default 20, and `page` from 1 [ours].
 * @throws HttpError 400 for anything else, also for one given twice.
 */
export function parsePageQuery(query: unknown): PageRequest {
  return {
    limit: parse(query, 'limit', pageSize),
    page: parse(query, 'page', pageNumber),
  };
}

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly default: number;
}

function parse(query: unknown, name: string, { min, max, default: whenAbsent }: Bounds): number {
  const value: unknown = typeof query === 'object' && query !== null ? Reflect.get(query, name) : undefined;
  if (value === undefined) return whenAbsent;
  const number = typeof value === 'string' && /^[1-9]\d{0,12}$/.test(value) ? Number(value) : 0;
  if (number < min || number > max)
    throw badRequest(`${name} must be one integer from ${min} to ${max}`, 'query');
  return number;
}
