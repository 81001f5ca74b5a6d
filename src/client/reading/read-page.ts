import type { Quota } from '../../api/quota.js';
import { isResource } from '../../api/resources/resource.js';
import {
  type Found,
  find,
  findCount,
  type Place,
  parseCount,
  pickField,
  type ResourceNames,
  spellNames,
} from './fields.js';
import type { ItemForms, ListForms, SentBack } from './forms.js';
import { type AskedPage, chooseNext, findNext, type Headers, headerValues } from './next-page.js';
import type { Onward, Page } from './page.js';
import { readRecord } from './read-single.js';

export interface ListAnswer {
  readonly value: unknown;
  readonly headers: Headers;
  readonly asked: AskedPage;
}

export const figureNames = ['total', 'page', 'limit', 'pages', 'next', 'hasMore'] as const;

/** The names that the reader took from a response: what `probe` writes down. */
export interface UsedNames {
  /** Field of the items, `{kind}` for the resource's name; `null`: a bare array; `undefined`: a field further down. */
  readonly items: string | null | undefined;
  /** The items as received. */
  readonly rows: readonly unknown[];
  /** Field of the object with the figures; `null`: they are beside the items. */
  readonly meta: string | null;
  readonly figures: Readonly<Partial<Record<(typeof figureNames)[number], string>>>;
  readonly totalHeader: string | undefined;
  readonly counts: 'number' | 'text' | undefined;
}

type Rows = Pick<UsedNames, 'rows' | 'items'>;

/** The page in a response, and the names it has; `undefined` if there is no readable list, or several. */
export function readPage<Item>(
  answer: ListAnswer,
  names: ResourceNames,
  { list: forms, item }: { readonly list: ListForms; readonly item: ItemForms },
  isItem: (value: unknown) => value is Item,
): { readonly page: Page<Item>; readonly used: UsedNames } | undefined {
  const { value, headers } = answer;
  const places = listPlaces(value, forms);
  const total = findCount(places, forms.total);
  const isEmpty = (total?.value ?? countInHeaders(headers, ['x-quota-used'])?.count) === 0;
  const found = findRows(value, names, forms, isEmpty);
  const data = found?.rows.map((one) => (isResource(one) ? readRecord(one, names, item) : one));
  if (found === undefined || data === undefined || !data.every(isItem)) return undefined;
  const { page, used } = readFigures(data, places, answer, { total, found }, forms);
  if (!isResource(value) || value['data'] !== found.rows) return { page, used };
  // Unknown fields pass through; unreadable figures do not.
  const { total: _total, page: _page, limit: _limit, pages: _pages, ...others } = value;
  return { page: { ...others, ...page }, used };
}

function listPlaces(value: unknown, { metas }: ListForms): readonly Place[] {
  if (!isResource(value)) return [];
  return [null, ...metas].flatMap((meta) => {
    const holder = meta === null ? value : pickField(value, meta);
    return isResource(holder) ? [{ meta, holder }] : [];
  });
}

/** @param isEmpty whether the list counts 0: null then stands for an empty list, as in Go */
function findRows(
  value: unknown,
  names: ResourceNames,
  { items, metas }: ListForms,
  isEmpty: boolean,
): Rows | undefined {
  if (Array.isArray(value)) return items.includes(null) ? { rows: value, items: null } : undefined;
  const fields = items
    .filter((name) => name !== null)
    .flatMap((form) => spellNames([form], names, false).map((name) => ({ form, name })));
  const arraysIn = (holder: unknown) =>
    fields.flatMap(({ form, name }): Rows[] => {
      const inner = pickField(holder, name);
      return Array.isArray(inner) ? [{ rows: inner, items: form }] : [];
    });
  const found = arraysIn(value);
  // One level down, as in `{ data: { items: [] } }`.
  const inner = fields
    .filter(({ name }) => metas.includes(name))
    .flatMap(({ name }) => arraysIn(pickField(value, name)));
  const [only, ...others] = found.length > 0 ? found : inner.map(({ rows }) => ({ rows, items: undefined }));
  if (only !== undefined) return others.length === 0 ? only : undefined;
  const isNull =
    value === null ? items.includes(null) : fields.some(({ name }) => pickField(value, name) === null);
  return isEmpty && isNull ? { rows: [], items: undefined } : undefined;
}

export function describeListPlaces(names: ResourceNames, { items }: ListForms): string {
  const fields = items.filter((name) => name !== null);
  const bare = items.includes(null) ? ['a bare array'] : [];
  const inside = fields.length === 0 ? [] : [`an array in ${spellNames(fields, names, false).join(', ')}`];
  return [...bare, ...inside].join(', or ');
}

function readFigures<Item>(
  data: readonly Item[],
  places: readonly Place[],
  { value, headers, asked }: ListAnswer,
  { total: said, found }: { readonly total: Found<string, number> | undefined; readonly found: Rows },
  forms: ListForms,
): { readonly page: Page<Item>; readonly used: UsedNames } {
  // `count` may count the page.
  const counted = said ?? findCount(places, forms.count, data.length);
  const inHeader = countInHeaders(headers, forms.totalHeaders);
  const limit = findCount(places, forms.limit);
  const pages = findCount(places, forms.pages, data.length > 0 ? 0 : -1);
  const number = find(places, forms.page, ({ field }) => field, parseCount);
  const page = number && (forms.firstPage === 0 ? number.value + 1 : number.value);
  const more = find(
    places,
    forms.hasMore,
    (name) => name,
    (one) => (typeof one === 'boolean' ? one : undefined),
  );
  const next = findNext(places, forms, asked, pages !== undefined);
  const figures = { page, limit: limit?.value, pages: pages?.value };
  const named = chooseNext(
    data,
    { next: next?.value, more: more?.value, isNumbered: page !== undefined },
    { headers, asked },
    forms,
  );
  const quota = readQuotaHeaders(headers);
  const total = (said ?? (inHeader === undefined ? counted : undefined))?.value ?? inHeader?.count;
  const isToldElsewhere = total !== undefined || named !== undefined || pages !== undefined;
  const isQuota = !isToldElsewhere && quota !== undefined && quota.used >= data.length;
  const shown = { ...figures, total: isQuota ? quota.used : total };
  const hasNext = named !== undefined && named !== 'ends';
  const isSilent = !hasNext && named === undefined && [shown.total, pages].every((one) => one === undefined);
  const ends = named === 'ends' || (isSilent && isLastByDialect(data.length, limit?.value, asked, forms));
  const parameter = number?.form.parameter;
  const onward: Onward = {
    ...(typeof named === 'object' && named),
    ...(ends && { ends }),
    ...(isSilent && !ends && isBare(value) && !hintsAtMore(headers) && { isBare: true }),
    ...(isQuota && { isQuota }),
    ...(quota !== undefined && { quota }),
    ...(forms.firstPage === undefined &&
      parameter !== undefined &&
      parameter !== forms.pageParameter && { pageParameter: parameter }),
    ...(forms.firstPage !== undefined && { isCountedFrom1: true }),
    ...(!forms.byNumber && { isUnnumbered: true }),
  };
  const known = Object.fromEntries(Object.entries(shown).filter(([, one]) => one !== undefined));
  return {
    page: {
      data,
      ...known,
      ...(hasNext && { hasNext }),
      ...(Object.keys(onward).length > 0 && { onward }),
    },
    used: {
      ...found,
      ...nameFigures({ total: counted, page: number, limit, pages, next, hasMore: more }),
      totalHeader: said === undefined ? inHeader?.name : undefined,
    },
  };
}

type AnyFound = Found<string | SentBack, unknown> | undefined;

/** The names of the figures in the object that has most of them: a dialect has one place for all. */
function nameFigures(
  found: Readonly<Record<(typeof figureNames)[number], AnyFound>>,
): Pick<UsedNames, 'meta' | 'figures' | 'counts'> {
  const metas = Object.values(found).flatMap((one) => (one === undefined ? [] : [one.meta]));
  const countOf = (meta: string | null) => metas.filter((one) => one === meta).length;
  const meta = metas.reduce((one, other) => (countOf(other) > countOf(one) ? other : one), metas[0] ?? null);
  const inMeta = Object.entries(found).flatMap(([name, one]) =>
    one?.meta === meta ? [[name, one] as const] : [],
  );
  const figures = inMeta.map(([name, { form }]) => [name, typeof form === 'string' ? form : form.field]);
  const count = [found.total, found.page, found.limit, found.pages].find((one) => one?.meta === meta);
  const counts = count && (typeof count.raw === 'string' ? 'text' : 'number');
  return { meta, figures: Object.fromEntries(figures), counts };
}

/** Whether a header of no known form may tell of more items. */
function hintsAtMore(headers: Headers): boolean {
  return Object.keys(headers).some((name) =>
    /^content-range$|^x-(?:.*-)?(?:total|next|cursor)(?:-|$)/.test(name),
  );
}

function isBare(value: unknown): boolean {
  return Array.isArray(value) || (isResource(value) && Object.keys(value).length === 1);
}

/** Whether, by its dialect, a page that says nothing is the last. A full page is not, however lists are paged. */
function isLastByDialect(
  length: number,
  shown: number | undefined,
  { target }: AskedPage,
  { largest, usual, limitParameter, isOnePage }: ListForms,
): boolean {
  if (largest === undefined || usual === undefined) return false;
  const given = new URL(target, 'http://service').searchParams.get(limitParameter ?? '');
  const asked = given === null ? undefined : Number(given);
  if (isOnePage) return length !== asked && length !== shown;
  return length < Math.min(asked ?? usual, largest, shown ?? largest);
}

/** The quota of the listed kind (API reference, section 4). Without a limit, that is infinite. */
function readQuotaHeaders(headers: Headers): Quota | undefined {
  const used = countInHeaders(headers, ['x-quota-used'])?.count;
  if (used === undefined) return undefined;
  const limit = countInHeaders(headers, ['x-quota-limit'])?.count ?? Number.POSITIVE_INFINITY;
  return { limit, used, remaining: limit - used };
}

/** The largest number in the first header that has any, because a header may be repeated; otherwise `undefined`. */
function countInHeaders(headers: Headers, names: readonly string[]) {
  for (const name of names) {
    const values = headerValues(headers, name).flatMap((value) => value.split(',').map((one) => one.trim()));
    const numbers = values.filter((value) => /^\d+$/.test(value)).map(Number);
    if (numbers.length > 0) return { name, count: Math.max(...numbers) };
  }
  return undefined;
}
