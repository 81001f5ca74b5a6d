import type { Quota } from '../../api/quota.js';
import { apiKeys } from '../../api/resources/api-key.js';
import { connections } from '../../api/resources/connection.js';
import { isResource, type Resource, readId } from '../../api/resources/resource.js';
import { firstCount, parseCount, pickField, type ResourceNames, spellNames } from './fields.js';
import type { ItemForms, ListForms, SentBack } from './forms.js';
import { findMoreSign, withEnd } from './more-sign.js';
import {
  type AskedPage,
  headerValues,
  type NamedNext,
  readLinks,
  readNextField,
  readRange,
  resolveNext,
} from './next-page.js';
import { addOwnNames, addSigningId, hasOtherNames } from './own-names.js';
import type { Onward, Page } from './page.js';
import { withId } from './read-single.js';
import { addEnabled } from './record/enabled-mark.js';
import { addFlatSettings } from './record/flat-settings.js';
import { liftAttributes } from './record/lift-attributes.js';

export interface ListAnswer {
  readonly value: unknown;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly asked: AskedPage;
}

/** The page in a response; `undefined` if the response has no readable list, or several. */
export function readList<Item>(
  { value, headers, asked }: ListAnswer,
  names: ResourceNames,
  { list: forms, item }: { readonly list: ListForms; readonly item: ItemForms },
  isItem: (value: unknown) => value is Item,
): Page<Item> | undefined {
  const found = findItems(value, names, forms) ?? (isNoList(value, headers, names, forms) ? [] : undefined);
  const lifted = found?.map((one) => (isResource(one) ? liftAttributes(one) : one));
  const items = lifted && nameFields(lifted, names, item);
  if (found === undefined || items === undefined || !items.every(isItem)) return undefined;
  const metas = isResource(value) ? forms.metas.map((name) => pickField(value, name)).filter(isResource) : [];
  const holders = isResource(value) ? [value, ...metas] : [];
  const page = withEnd(toPage(items, holders, { headers, asked }, forms), asked, forms, () =>
    findMoreSign(value, found, headers),
  );
  if (!isResource(value)) return page;
  if (value['data'] !== found) return page;
  // Unknown fields pass through; unreadable figures do not.
  const { total: _total, page: _page, limit: _limit, pages: _pages, ...others } = value;
  return { ...others, ...page };
}

function nameFields(items: readonly unknown[], names: ResourceNames, forms: ItemForms): readonly unknown[] {
  const [first] = items;
  if (!isResource(first)) return items;
  if (names.kind === apiKeys.kind) {
    return items.map((one) => (isResource(one) ? nameKeyFields(one, names, forms) : one));
  }
  const isPlain = withId(first, names, forms) === first && !hasOtherNames(first, forms);
  const named = isPlain
    ? items
    : items.map((one) => (isResource(one) ? addOwnNames(withId(one, names, forms), forms) : one));
  if (names.kind === connections.kind) for (const one of named) if (isResource(one)) addFlatSettings(one);
  return named;
}

function nameKeyFields(key: Resource, names: ResourceNames, forms: ItemForms): Resource {
  return addEnabled(addSigningId(addOwnNames(withId(key, names, forms), forms), forms));
}

export function describeListPlaces(names: ResourceNames, { items }: ListForms): string {
  const fields = listFields(items, names);
  const bare = items.includes(null) ? ['a bare array'] : [];
  return [...bare, ...(fields.length === 0 ? [] : [`an array in ${fields.join(', ')}`])].join(', or ');
}

function listFields(items: ListForms['items'], names: ResourceNames): readonly string[] {
  return spellNames(
    items.filter((name) => name !== null),
    names,
    false,
  );
}

function findItems(
  value: unknown,
  names: ResourceNames,
  { items, metas }: ListForms,
): readonly unknown[] | undefined {
  if (Array.isArray(value)) return items.includes(null) ? value : undefined;
  const fields = listFields(items, names);
  const found = arraysIn(value, fields);
  if (found.length > 0) return found.length === 1 ? found[0] : undefined;
  // One level down, as in `{ data: { items: [] } }`.
  const inner = fields
    .filter((name) => metas.includes(name))
    .flatMap((name) => arraysIn(pickField(value, name), fields));
  return inner.length === 1 ? inner[0] : undefined;
}

/** Whether null stands for an empty list, as in Go. A count of 0 must confirm it, because null may mean failure. */
function isNoList(
  value: unknown,
  headers: ListAnswer['headers'],
  names: ResourceNames,
  { items, total }: ListForms,
): boolean {
  const holders = isResource(value) ? [value] : [];
  const fields = listFields(items, names);
  const held = holders.flatMap((holder) => fields.map((name) => pickField(holder, name)));
  const isNull = (value === null && items.includes(null)) || held.includes(null);
  return (
    isNull &&
    !held.some(Array.isArray) &&
    (firstCount(holders, total) ?? countInHeaders(headers, ['x-quota-used'])) === 0
  );
}

function arraysIn(value: unknown, fields: readonly string[]): readonly (readonly unknown[])[] {
  return fields.flatMap((name) => {
    const inner: unknown = pickField(value, name);
    return Array.isArray(inner) ? [inner] : [];
  });
}

function toPage<Item>(
  data: readonly Item[],
  holders: readonly Resource[],
  answer: Pick<ListAnswer, 'headers' | 'asked'>,
  forms: ListForms,
): Page<Item> {
  const pages = firstCount(holders, forms.pages);
  const partial = partialMarks.find((name) => holders.some((holder) => pickField(holder, name) === true));
  const [said, pageField] = numberIn(holders, forms.page);
  const page = said !== undefined && forms.firstPage === 0 ? said + 1 : said;
  const limit = firstCount(holders, forms.limit);
  const named = readNamedNext(data, holders, answer, forms, {
    isCounted: pages !== undefined,
    isNumbered: page !== undefined,
  });
  const onward = toOnward(named, pageField, offsetIn(holders, data.length, forms), forms);
  const limitParameter = findLimitParameter(holders, forms);
  const total = readTotal(
    holders,
    data.length,
    answer.headers,
    forms,
    named !== undefined || pages !== undefined,
  );
  const { before } = readRange(answer.headers);
  const quota = readQuotaHeaders(answer.headers);
  const all: Onward = {
    ...onward,
    ...(before !== undefined && { before }),
    ...(partial !== undefined && { partial }),
    ...(limitParameter !== undefined && { limitParameter }),
    ...(total?.isQuota && { isQuota: true }),
    ...(quota !== undefined && { quota }),
    ...(total?.isInHeader && { isTotalInHeader: true }),
  };
  return {
    data,
    ...(total !== undefined && { total: total.count }),
    ...(page !== undefined && { page }),
    ...(limit !== undefined && { limit }),
    ...(pages !== undefined && { pages }),
    ...(named !== undefined && named !== 'ends' && { hasNext: true }),
    ...(Object.keys(all).length > 0 && { onward: all }),
  };
}

const partialMarks = ['partial', 'truncated', 'incomplete', 'incomplete_results', 'timed_out', 'timedOut'];

/** The linked next page; `more` if it is only announced, `ends` if there is none, `undefined` if that is unknown. */
function readNamedNext(
  data: readonly unknown[],
  holders: readonly Resource[],
  { headers, asked }: Pick<ListAnswer, 'headers' | 'asked'>,
  forms: ListForms,
  { isCounted, isNumbered }: { readonly isCounted: boolean; readonly isNumbered: boolean },
): NamedNext | 'ends' | 'more' | undefined {
  if (forms.isOnePage) return undefined;
  const links = forms.links ? readLinks(headers) : new Map<string, string>();
  const link = links.get('next');
  if (link !== undefined) return resolveNext(link, asked);
  const more = holders
    .flatMap((holder) => forms.hasMore.map((name) => pickField(holder, name)))
    .find((value) => typeof value === 'boolean');
  if (more === false) return 'ends';
  const field = readNextField(holders, forms, asked, isCounted);
  if (field !== undefined && field !== 'ends') return field;
  if (more === true) return isNumbered ? 'more' : readAfter(data, forms);
  // When paging by the last ID, an empty page ends the list.
  if (forms.after !== undefined && !forms.byNumber)
    return data.length === 0 ? 'ends' : readAfter(data, forms);
  const isLast = ['first', 'prev', 'previous', 'last'].some((relation) => links.has(relation));
  return field ?? (isLast ? 'ends' : undefined);
}

function readAfter([...data]: readonly unknown[], { after }: ListForms): NamedNext | 'more' {
  const last = data.at(-1);
  const id = isResource(last) ? readId(last) : undefined;
  return after === undefined || id === undefined ? 'more' : { next: { parameter: after, value: id } };
}

function toOnward(
  named: NamedNext | 'ends' | 'more' | undefined,
  pageField: SentBack | undefined,
  offset: Onward['offset'],
  { pageParameter, firstPage, byNumber }: ListForms,
): Onward {
  const parameter = pageField?.parameter ?? pageParameter;
  const isOther = firstPage === undefined && parameter !== pageParameter;
  return {
    ...(typeof named === 'object' ? named : named === 'ends' ? { ends: true } : {}),
    ...(isOther && { pageParameter: parameter }),
    ...(offset !== undefined && { offset }),
    ...(firstPage !== undefined && { isCountedFrom1: true }),
    ...(!byNumber && { isUnnumbered: true }),
  };
}

function numberIn(holders: readonly Resource[], names: readonly SentBack[]): readonly [number?, SentBack?] {
  for (const holder of holders) {
    for (const name of names) {
      const count = parseCount(pickField(holder, name.field));
      if (count !== undefined) return [count, name];
    }
  }
  return [];
}

/** The response's name for the page size, if unexpected; the parameter probably has the same name. */
function findLimitParameter(
  holders: readonly Resource[],
  { limit, limitParameter, firstPage }: ListForms,
): string | undefined {
  if (firstPage !== undefined) return undefined;
  const name = limit.find((one) => firstCount(holders, [one]) !== undefined);
  return name === limitParameter ? undefined : name;
}

function offsetIn(holders: readonly Resource[], length: number, { offset }: ListForms): Onward['offset'] {
  const [before, name] = numberIn(holders, offset);
  return before === undefined || name === undefined
    ? undefined
    : { parameter: name.parameter, value: String(before + length) };
}

/** Number of items in the list. Without other evidence, the quota in use if that is at least `length`. */
function readTotal(
  holders: readonly Resource[],
  length: number,
  headers: ListAnswer['headers'],
  forms: ListForms,
  isToldElsewhere: boolean,
): { readonly count: number; readonly isQuota?: true; readonly isInHeader?: true } | undefined {
  const said = firstCount(holders, forms.total);
  if (said !== undefined) return { count: said };
  const inHeader = countInHeaders(headers, forms.totalHeaders) ?? readRange(headers).total;
  if (inHeader !== undefined) return { count: inHeader, isInHeader: true };
  const count = firstCount(holders, forms.count);
  if (count !== undefined && count > length) return { count };
  if (isToldElsewhere) return undefined;
  const used = countInHeaders(headers, ['x-quota-used']);
  return used !== undefined && used >= length ? { count: used, isQuota: true } : undefined;
}

/** The quota of the listed kind (API reference, section 4). Without a limit, that is infinite. */
function readQuotaHeaders(headers: ListAnswer['headers']): Quota | undefined {
  const used = countInHeaders(headers, ['x-quota-used']);
  if (used === undefined) return undefined;
  const limit = countInHeaders(headers, ['x-quota-limit']) ?? Number.POSITIVE_INFINITY;
  return { limit, used, remaining: limit - used };
}

/** The largest number in the first header that has any, because a header may be repeated; otherwise `undefined`. */
function countInHeaders(headers: ListAnswer['headers'], names: readonly string[]): number | undefined {
  for (const name of names) {
    const values = headerValues(headers, name).flatMap((value) => value.split(',').map((one) => one.trim()));
    const numbers = values.filter((value) => /^\d+$/.test(value)).map(Number);
    if (numbers.length > 0) return Math.max(...numbers);
  }
  return undefined;
}
