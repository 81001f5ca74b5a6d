import { isResource } from '../../api/resources/resource.js';
import {
  type Forms,
  type Found,
  find,
  type ListForms,
  type Place,
  parseCount,
  pickField,
  type ResourceNames,
  spellNames,
} from './forms.js';
import { type AskedPage, chooseNext, findNext, type Headers } from './next-page.js';
import type { Page } from './page.js';
import { readRecord } from './read-single.js';

export interface ListAnswer {
  readonly value: unknown;
  readonly headers: Headers;
  readonly asked: AskedPage;
}

/** Where the parts of a list were found, for `orgctl probe`. */
export interface UsedNames {
  /** Field of the items, `{kind}` for the resource's name; `null`: a bare array; `undefined`: an inner field. */
  readonly items: string | null | undefined;
  /** The items as received. */
  readonly rows: readonly unknown[];
  /** The fields about the page, by their names in a dialect. */
  readonly figures: Readonly<
    Record<'total' | 'page' | 'limit' | 'pages' | 'next' | 'hasMore', Found<unknown> | undefined>
  >;
  readonly totalHeader: string | undefined;
}

type Rows = Pick<UsedNames, 'rows' | 'items'>;

/** The page in a response, and where it was found; `undefined` if there is no readable list, or several. */
export function readPage<Item>(
  { value, headers, asked }: ListAnswer,
  names: ResourceNames,
  { list: forms, item }: Pick<Forms, 'list' | 'item'>,
  isItem: (value: unknown) => value is Item,
): { readonly page: Page<Item>; readonly used: UsedNames } | undefined {
  const found = findRows(value, names, forms);
  const data = found?.rows.map((one) => (isResource(one) ? readRecord(one, names, item) : one));
  if (found === undefined || data === undefined || !data.every(isItem)) return undefined;
  const places = listPlaces(value, forms);
  const inHeaders = [{ meta: null, holder: headers }];
  const total = find(places, forms.total, readCount(0));
  const header = total === undefined ? find(inHeaders, forms.totalHeaders, parseCount) : undefined;
  const used = find(inHeaders, ['x-quota-used'], parseCount)?.value;
  const limit = find(places, forms.limit, readCount(0));
  const pages = find(places, forms.pages, readCount(data.length > 0 ? 1 : 0));
  const number = find(places, [...forms.page.keys()], parseCount);
  const hasMore = find(places, forms.hasMore, (one) => (typeof one === 'boolean' ? one : undefined));
  const next = findNext(places, forms, asked);
  const told = { headers, asked, next: next?.value, more: hasMore?.value, isNumbered: number !== undefined };
  const following = chooseNext(data, told, forms);
  const shown = (total ?? header)?.value;
  const isSilent = following === undefined && pages === undefined && shown === undefined;
  const isQuota = isSilent && used !== undefined && used >= data.length;
  const isLast = isSilent && !isQuota && isLastByDialect(data.length, limit?.value, asked, forms);
  const page: Page<Item> = {
    data,
    total: isQuota ? used : shown,
    page: number && (forms.firstPage === 0 ? number.value + 1 : number.value),
    limit: limit?.value,
    pages: pages?.value,
    hasNext: following !== undefined && following !== 'end',
    onward: {
      ...(typeof following === 'object' && following),
      ends: following === 'end' || isLast,
      isBare: isSilent && !isQuota && isBare(value) && !hintsAtMore(headers),
      isQuota,
      pageParameter: forms.firstPage === undefined ? number && forms.page.get(number.name) : undefined,
      firstPage: forms.firstPage === undefined ? undefined : 1,
      isUnnumbered: forms.paging !== 'any' && forms.paging !== 'page',
    },
  };
  const figures = { total, page: number, limit, pages, next, hasMore };
  return { page, used: { ...found, figures, totalHeader: header?.name } };
}

function isBare(value: unknown): boolean {
  return Array.isArray(value) || (isResource(value) && Object.keys(value).length === 1);
}

/** Whether a header such as `Content-Range` hints at further items. */
function hintsAtMore(headers: Headers): boolean {
  return Object.keys(headers).some((name) => /^content-range$|^x-(?:.*-)?(?:total|next|cursor)/.test(name));
}

function listPlaces(value: unknown, { metas }: ListForms): readonly Place[] {
  if (!isResource(value)) return [];
  return [null, ...metas].flatMap((meta) => {
    const holder = meta === null ? value : pickField(value, meta);
    return isResource(holder) ? [{ meta, holder }] : [];
  });
}

const readCount = (least: number) => (value: unknown) => {
  const count = parseCount(value);
  return count !== undefined && count >= least ? count : undefined;
};

/** The only array in a field for items or, if there is none, in a field of such a field, as in `data.items`. */
function findRows(value: unknown, names: ResourceNames, { items, metas }: ListForms): Rows | undefined {
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
    .flatMap(({ name }) => rowsIn(pickField(value, name)).map(({ rows }) => ({ rows, items: undefined })));
  const [only, ...others] = beside.length > 0 ? beside : inside;
  return others.length === 0 ? only : undefined;
}

/** Whether a page without counts is the last, by its length; `false` without a dialect, or if it has page numbers. */
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
