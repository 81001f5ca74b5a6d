import type { Quota } from '../../api/quota.js';
import { isResource } from '../../api/resources/resource.js';
import {
  type Found,
  find,
  type Place,
  parseCount,
  pickField,
  type ResourceNames,
  spellNames,
} from './fields.js';
import type { Forms, ListForms } from './forms.js';
import { type AskedPage, chooseNext, findNext, type Headers, headerValues } from './next-page.js';
import type { Onward, Page } from './page.js';
import { readRecord } from './read-single.js';

export interface ListAnswer {
  readonly value: unknown;
  readonly headers: Headers;
  readonly asked: AskedPage;
}

type FigureName = 'total' | 'page' | 'limit' | 'pages' | 'next' | 'hasMore';

/** The names that the reader took from a response: what `probe` writes down. */
export interface UsedNames {
  /** Field of the items, `{kind}` for the resource's name; `null`: a bare array; `undefined`: a field further down. */
  readonly items: string | null | undefined;
  /** The items as received. */
  readonly rows: readonly unknown[];
  /** Field of the object with the figures; `null`: they are beside the items. */
  readonly meta: string | null;
  readonly figures: Readonly<Partial<Record<FigureName, string>>>;
  readonly totalHeader: string | undefined;
  readonly counts: 'number' | 'text' | undefined;
}

type Rows = Pick<UsedNames, 'rows' | 'items'>;

/** The page in a response, and the names it has; `undefined` if there is no readable list, or several. */
export function readPage<Item>(
  answer: ListAnswer,
  names: ResourceNames,
  { list: forms, item }: Pick<Forms, 'list' | 'item'>,
  isItem: (value: unknown) => value is Item,
): { readonly page: Page<Item>; readonly used: UsedNames } | undefined {
  const { value, headers, asked } = answer;
  const places = listPlaces(value, forms);
  const total = findCount(places, forms.total);
  const inHeader = total === undefined ? countInHeaders(headers, forms.totalHeaders) : undefined;
  const quota = readQuotaHeaders(headers);
  const found = findRows(value, names, forms, (total?.value ?? quota?.used) === 0);
  const data = found?.rows.map((one) => (isResource(one) ? readRecord(one, names, item) : one));
  if (found === undefined || data === undefined || !data.every(isItem)) return undefined;
  const limit = findCount(places, forms.limit);
  const pages = findCount(places, forms.pages, data.length > 0 ? 1 : 0);
  const number = find(places, [...forms.page.keys()], parseCount);
  const hasMore = find(places, forms.hasMore, (one) => (typeof one === 'boolean' ? one : undefined));
  const next = findNext(places, forms, asked);
  const told = { next: next?.value, more: hasMore?.value, isNumbered: number !== undefined };
  const following = chooseNext(data, told, answer, forms);
  const shown = total?.value ?? inHeader?.count;
  const isSilent = following === undefined && pages === undefined && shown === undefined;
  const isQuota = isSilent && quota !== undefined && quota.used >= data.length;
  const ends =
    following === 'end' || (isSilent && !isQuota && isLastByDialect(data.length, limit?.value, asked, forms));
  const onward: Onward = {
    ...(typeof following === 'object' && following),
    ends,
    isQuota,
    quota,
    pageParameter: forms.firstPage === undefined ? number && forms.page.get(number.name) : undefined,
    firstPage: forms.firstPage === undefined ? undefined : 1,
    isUnnumbered: forms.paging !== 'any' && forms.paging !== 'page',
  };
  const page: Page<Item> = {
    data,
    total: isQuota ? quota.used : shown,
    page: number && (forms.firstPage === 0 ? number.value + 1 : number.value),
    limit: limit?.value,
    pages: pages?.value,
    hasNext: following !== undefined && following !== 'end',
    onward,
  };
  const figures = nameFigures({ total, page: number, limit, pages, next, hasMore });
  return { page, used: { ...found, ...figures, totalHeader: inHeader?.name } };
}

function listPlaces(value: unknown, { metas }: ListForms): readonly Place[] {
  if (!isResource(value)) return [];
  return [null, ...metas].flatMap((meta) => {
    const holder = meta === null ? value : pickField(value, meta);
    return isResource(holder) ? [{ meta, holder }] : [];
  });
}

function findCount(places: readonly Place[], names: readonly string[], least = 0) {
  const read = (value: unknown) => [parseCount(value)].find((count) => count !== undefined && count >= least);
  return find(places, names, read);
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
  const rowsIn = (holder: unknown) =>
    fields.flatMap(({ form, name }): Rows[] => {
      const inner = pickField(holder, name);
      return Array.isArray(inner) ? [{ rows: inner, items: form }] : [];
    });
  const beside = rowsIn(value);
  const inside = fields
    .filter(({ name }) => metas.includes(name))
    .flatMap(({ name }) => rowsIn(pickField(value, name)));
  const [only, ...others] =
    beside.length > 0 ? beside : inside.map(({ rows }) => ({ rows, items: undefined }));
  if (only !== undefined) return others.length === 0 ? only : undefined;
  const isNull = fields.some(({ name }) => pickField(value, name) === null);
  return isEmpty && isNull ? { rows: [], items: undefined } : undefined;
}

export function describeListPlaces(names: ResourceNames, { items }: ListForms): string {
  const fields = items.filter((name) => name !== null);
  const bare = items.includes(null) ? ['a bare array'] : [];
  const inside = fields.length === 0 ? [] : [`an array in ${spellNames(fields, names, false).join(', ')}`];
  return [...bare, ...inside].join(', or ');
}

/** The names of the figures in the object that has the first of them: a dialect has one place for all. */
function nameFigures(
  found: Readonly<Record<FigureName, Found<unknown> | undefined>>,
): Pick<UsedNames, 'meta' | 'figures' | 'counts'> {
  const [first] = Object.values(found).filter((one) => one !== undefined);
  const { meta = null } = first ?? {};
  const inMeta = Object.entries(found).flatMap(([figure, one]) =>
    one?.meta === meta ? [[figure, one] as const] : [],
  );
  const count = inMeta.find(([figure]) => ['total', 'page', 'limit', 'pages'].includes(figure))?.[1];
  return {
    meta,
    figures: Object.fromEntries(inMeta.map(([figure, { name }]) => [figure, name])),
    counts: count && (typeof count.raw === 'string' ? 'text' : 'number'),
  };
}

/** Whether, by its dialect, a page that says nothing is the last: no full one, nor any of those with numbers. */
function isLastByDialect(
  length: number,
  shown: number | undefined,
  { target }: AskedPage,
  { sizes, limitParameter, paging }: ListForms,
): boolean {
  if (sizes === undefined || paging === 'page') return false;
  const given = new URL(target, 'http://service').searchParams.get(limitParameter ?? '');
  const asked = given === null ? undefined : Number(given);
  if (paging === 'none') return length !== asked && length !== shown;
  return length < Math.min(asked ?? sizes.default, sizes.max, shown ?? sizes.max);
}

/** The quota of the listed kind (API reference, section 4). Without a limit, that is infinite. */
function readQuotaHeaders(headers: Headers): Quota | undefined {
  const used = countInHeaders(headers, ['x-quota-used'])?.count;
  if (used === undefined) return undefined;
  const limit = countInHeaders(headers, ['x-quota-limit'])?.count ?? Number.POSITIVE_INFINITY;
  return { limit, used, remaining: limit - used };
}

/** The number in the first header that has one; otherwise `undefined`. */
function countInHeaders(headers: Headers, names: readonly string[]) {
  const found = names.map((name) => ({ name, count: parseCount(headerValues(headers, name)[0]) }));
  const first = found.find(({ count }) => count !== undefined);
  return first?.count === undefined ? undefined : { name: first.name, count: first.count };
}
