import { fieldNamePattern } from '../../api/dialect/dialect.js';
import type { DialectList } from '../../api/dialect/dialect-input.js';
import { pickField } from '../reading/fields.js';
import { readLinks } from '../reading/next-page.js';
import type { SeenPage } from './seen-page.js';
import type { SoughtForms } from './sought-forms.js';

export type FoundWay = Pick<DialectList, 'paging' | 'firstPage'> & {
  readonly parameter?: string | undefined;
  /** Whether the list is paged in a known form that no dialect expresses, such as by offset. */
  readonly isInexpressible?: true;
};

interface Move {
  readonly parameter: string;
  readonly value: string;
  readonly from: SeenPage;
  readonly to: SeenPage;
  readonly hasMoved: boolean;
}

/** Finds how a list is paged. `fields.next` names the field that leads to the next page. */
export function findWay(
  pages: readonly SeenPage[],
  { sizes, ways, list }: SoughtForms,
  { meta, fields }: Pick<DialectList, 'meta' | 'fields'>,
): FoundWay {
  const addressed = findAddress(pages, ways, meta, fields?.next);
  if (addressed !== undefined) return addressed;
  const moves = findMoves(pages, sizes);
  const moved = moves.filter(({ hasMoved }) => hasMoved);
  const [way] = moved.flatMap((move) => describeMove(move, pages, ways, fields) ?? []);
  if (way !== undefined) return way;
  if (moved.some(({ parameter }) => isKnownWay(parameter, list))) return { isInexpressible: true };
  const named = pages.flatMap((page) => nextTexts(page, meta, fields?.next).map((text) => ({ page, text })));
  const [first] = named;
  if (first !== undefined) return { paging: first.text === first.page.ids.at(-1) ? 'after' : 'cursor' };
  return isWholeAlways(pages, moves, sizes) ? { paging: 'none' } : {};
}

function isKnownWay(parameter: string, { offset, cursor }: SoughtForms['list']): boolean {
  return [...offset, ...cursor].some((one) => one.parameter === parameter);
}

/** The value of the field that leads to the next page, in `meta` if given; empty if the value means the end. */
function nextTexts(
  { value }: SeenPage,
  meta: string | null | undefined,
  name: string | null | undefined,
): string[] {
  if (typeof name !== 'string') return [];
  const holder = typeof meta === 'string' ? pickField(value, meta) : value;
  const text = pickField(holder, name);
  return typeof text === 'string' && text !== '' ? [text] : typeof text === 'number' ? [String(text)] : [];
}

/** Paging by a `Link` header or an address in the body; the query of that address names the page parameter. */
function findAddress(
  pages: readonly SeenPage[],
  ways: readonly string[],
  meta: string | null | undefined,
  name: string | null | undefined,
): FoundWay | undefined {
  for (const page of pages) {
    const link = readLinks(page.headers).get('next');
    const text = nextTexts(page, meta, name).find((one) => /^(?:https?:\/\/|[/?])/i.test(one));
    const address = link ?? text;
    if (address === undefined) continue;
    const query = new URLSearchParams(address.split('?', 2)[1] ?? '');
    const changed = [...query].filter(([one]) => isNew(one, page, query));
    const [parameter, value] = [...query].find(([one]) => ways.includes(one)) ?? changed[0] ?? [];
    const number = value !== undefined && /^\d$/.test(value) ? Number(value) - 1 : undefined;
    const isFirst = parameter !== undefined && !page.query.has(parameter);
    return {
      paging: link === undefined ? 'next' : 'link',
      // A dialect cannot express names such as `page[number]`.
      ...(parameter !== undefined && fieldNamePattern.test(parameter) && { parameter }),
      ...(isFirst && (number === 0 || number === 1) && { firstPage: number }),
    };
  }
  return undefined;
}

function isNew(name: string, { query, page: { limit, data } }: SeenPage, address: URLSearchParams): boolean {
  const value = address.get(name);
  if (query.has(name)) return value !== query.get(name);
  if (address.size === 1) return true;
  return value !== String(limit) && (limit !== undefined || value !== String(data.length));
}

function findMoves(pages: readonly SeenPage[], sizes: readonly string[]): Move[] {
  return pages.flatMap((to, at) =>
    [...to.query].flatMap(([parameter, value]) => {
      if (sizes.includes(parameter)) return [];
      const rest = new URLSearchParams(to.query);
      rest.delete(parameter);
      const from = pages.slice(0, at).find(({ query }) => String(query) === String(rest));
      if (from === undefined || from.ids.length === 0) return [];
      return [{ parameter, value, from, to, hasMoved: from.ids[0] !== to.ids[0] }];
    }),
  );
}

/** `undefined` if a dialect cannot express the paging: a cursor needs a field that names it. */
function describeMove(
  { parameter, value, from, to }: Move,
  pages: readonly SeenPage[],
  ways: readonly string[],
  fields: DialectList['fields'],
): FoundWay | undefined {
  if (ways.includes(parameter) && /^\d+$/.test(value) && typeof fields?.next !== 'string') {
    // An empty page may be past the end: it shows the parameter, but not how the list is paged.
    if (to.ids.length === 0) return { parameter };
    return { paging: 'page', parameter, ...findFirst(Number(value), from, to, pages) };
  }
  if (value === from.ids.at(-1)) return { paging: 'after', parameter };
  return typeof fields?.next === 'string' ? { paging: 'cursor', parameter } : undefined;
}

/** The first page's number: the reported one, or one inferred from the rows of other pages. */
function findFirst(
  number: number,
  from: SeenPage,
  to: SeenPage,
  pages: readonly SeenPage[],
): Pick<FoundWay, 'firstPage'> {
  const said = from.page.page;
  if (said === 0 || said === 1) return { firstPage: said };
  const [id = ''] = to.ids;
  const at = Math.max(...pages.map(({ ids }) => ids.indexOf(id)).filter((_, nth) => pages[nth] !== to));
  const size = from.ids.length;
  if (at === size * (number - 1)) return { firstPage: 1 };
  return at === size * number ? { firstPage: 0 } : {};
}

/** Whether the service returns the whole list whatever page size or number is requested. */
function isWholeAlways(
  pages: readonly SeenPage[],
  moves: readonly Move[],
  sizes: readonly string[],
): boolean {
  const isCut = pages.some(({ page: { hasNext, total, data } }) => hasNext || (total ?? 0) > data.length);
  const isSized = pages.some(({ query, ids }) =>
    sizes.some((name) => query.has(name) && ids.length > Number(query.get(name))),
  );
  return !isCut && isSized && moves.length > 0;
}
