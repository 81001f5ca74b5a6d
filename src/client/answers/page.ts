import type { Envelope } from '../../api/schema/envelope.js';
import type { Answer } from '../exchange/exchange.js';

/**
 * One page of a list. `page`, `limit` and `pages` are present when the service sent an envelope, and `total` then too;
 * with a bare array it is what `X-Total-Count` says, or `X-Quota-Used` where that is no less than the array's length.
 */
export type Page<Item> = Pick<Envelope<Item>, 'data'> &
  Partial<Omit<Envelope<Item>, 'data'>> & {
    /** A `Link` header names a next page. */
    readonly hasNext?: true;
  };

/** The page that a list is, with what its answer says beside it. */
export function pageOf<Item>(
  list: readonly Item[] | Envelope<Item>,
  { headers }: Pick<Answer, 'headers'>,
): Page<Item> {
  const page: Page<Item> = isBare(list) ? { data: list, ...totalIn(headers, list.length) } : list;
  return namesNext(headers) ? { ...page, hasNext: true } : page;
}

function isBare<Item>(list: readonly Item[] | Envelope<Item>): list is readonly Item[] {
  return Array.isArray(list);
}

type Headers = Answer['headers'];

/** How many items there are, as far as the headers say. A quota may count fewer than a list has, and says nothing then. */
function totalIn(headers: Headers, length: number): { readonly total?: number } {
  const total = countIn(headers['x-total-count']);
  if (total !== undefined) return { total };
  const used = countIn(headers['x-quota-used']);
  return used !== undefined && used >= length ? { total: used } : {};
}

/** The largest number, where a header came more than once; undefined for what is not a number. */
function countIn(header: Headers[string]): number | undefined {
  const numbers = valuesOf(header).filter((value) => /^\d+$/.test(value));
  return numbers.length === 0 ? undefined : Math.max(...numbers.map(Number));
}

// RFC 8288, section 3; a list of relation types is quoted.
const nextRelation = /;\s*rel\s*=\s*(?:"[^"]*\bnext\b[^"]*"|next\b)/i;

function namesNext(headers: Headers): boolean {
  return valuesOf(headers['link']).some((value) => nextRelation.test(value));
}

function valuesOf(header: Headers[string]): string[] {
  return [header ?? []].flat().flatMap((value) => value.split(',').map((one) => one.trim()));
}
