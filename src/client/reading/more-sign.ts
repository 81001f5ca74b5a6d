import { isResource } from '../../api/resources/resource.js';
import { parseCount } from './fields.js';
import type { ListForms } from './forms.js';
import { type AskedPage, type Headers, headerValues } from './next-page.js';
import type { Page } from './page.js';

/** Maximum depth, and maximum number of fields, to search for a sign of further items. */
const deepest = 4;
const maxFields = 200;

const counts = new Set([
  'total',
  'totals',
  'count',
  'hits',
  'found',
  'matches',
  'results',
  'items',
  'records',
]);
const numbers = new Set(['page', 'pages']);
const ways = new Set(['next', 'cursor', 'continuation']);
const marks = new Set(['more', 'truncated', 'incomplete', 'partial', 'next']);
const ends = new Set(['last', 'end', 'complete', 'done', 'final']);
/** Fields with these words count something else. */
const others = new Set(['quota', 'quotas', 'limit', 'ratelimit', 'rate', 'request', 'requests']);
/** Names that need the name of their object: `total: { value: 40 }`, `page: { number: 1 }`. */
const plain = new Set(['value', 'number', 'current', 'index']);

/**
 * The first field or header that suggests further items in an unknown form, such as `meta.paging.total` above the number
 * of items, `isTruncated: true` or `X-Next-Cursor`. Shows that a list may go on, but not how to read the rest.
 */
export function findMoreSign(
  value: unknown,
  items: readonly unknown[],
  headers: Headers,
): string | undefined {
  const inBody = isResource(value)
    ? fieldsIn(value, items).find(({ path, held }) => isSign(path, held, items.length))
    : undefined;
  if (inBody !== undefined) return inBody.path.join('.');
  return Object.keys(headers).find((name) => {
    const [held] = headerValues(headers, name);
    return name.startsWith('x-') && held !== undefined && isSign([name], readText(held), items.length);
  });
}

interface Field {
  readonly path: readonly string[];
  readonly held: unknown;
}

/** Fields outside the items, breadth first. */
function fieldsIn(value: object, items: readonly unknown[]): readonly Field[] {
  const found: Field[] = [{ path: [], held: value }];
  for (const { path, held } of found) {
    if (!isResource(held) || path.length >= deepest) continue;
    for (const [name, inner] of Object.entries(held)) {
      if (found.length > maxFields) return found;
      if (inner !== items && !Array.isArray(inner)) found.push({ path: [...path, name], held: inner });
    }
  }
  return found.slice(1);
}

function isSign(path: readonly string[], held: unknown, length: number): boolean {
  const all = path.flatMap(toWords);
  if (all.some((word) => others.has(word))) return false;
  const own = path.slice(-1).flatMap(toWords);
  const words = own.every((word) => plain.has(word)) ? path.slice(-2).flatMap(toWords) : own;
  const says = (names: ReadonlySet<string>) => words.some((word) => names.has(word));
  if (held === true) return says(marks);
  if (held === false) return says(ends);
  const count = parseCount(held);
  if (count === undefined) return typeof held === 'string' && held !== '' && says(ways);
  if (says(numbers) || says(ways)) return true;
  return (says(counts) && count > length) || (words.includes('remaining') && count > 0);
}

function toWords(name: string): readonly string[] {
  return name
    .replaceAll(/(?<=[a-z])[A-Z]/g, ' $&')
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((word) => word !== '');
}

function readText(text: string): unknown {
  const said = text.toLowerCase();
  return said === 'true' || (said === 'false' ? false : text);
}

/**
 * For a page whose own figures and links do not say whether more follow: adds a sign of further items or, if there is
 * none and the dialect makes the page the last one, the end of the list.
 */
export function withEnd<Item>(
  page: Page<Item>,
  asked: AskedPage,
  forms: ListForms,
  findSign: () => string | undefined,
): Page<Item> {
  const { total, pages, page: number, hasNext, onward } = page;
  if ([total, pages, hasNext].some((said) => said !== undefined) || onward?.ends) return page;
  const sign = number === undefined ? findSign() : undefined;
  if (sign !== undefined) return { ...page, onward: { ...onward, sign } };
  return isLastByDialect(page, asked, forms) ? { ...page, onward: { ...onward, ends: true } } : page;
}

/** Whether, by its dialect, a page without a link or figures is the last. A full page is not, however lists are paged. */
function isLastByDialect(
  { data: { length }, limit: shown }: Page<unknown>,
  { target }: AskedPage,
  { largest, usual, limitParameter, isOnePage }: ListForms,
): boolean {
  if (largest === undefined || usual === undefined) return false;
  const { searchParams } = new URL(target, 'http://service');
  const given = limitParameter === undefined ? null : searchParams.get(limitParameter);
  const asked = given === null ? undefined : Number(given);
  if (isOnePage) return length !== asked && length !== shown;
  return length < Math.min(asked ?? usual, largest, shown ?? largest);
}
