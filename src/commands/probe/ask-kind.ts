import { fieldNamePattern } from '../../api/dialect/dialect.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { isResource, readId } from '../../api/resources/resource.js';
import { findFailure } from '../../client/answers/outcome.js';
import type { Answer } from '../../client/exchange/exchange.js';
import { readJsonValue } from '../../client/exchange/json-body.js';
import { pickField, spellNames } from '../../client/reading/fields.js';
import type { Forms, ListForms } from '../../client/reading/forms.js';
import { readLinks } from '../../client/reading/next-page.js';
import { figureNames, readPage } from '../../client/reading/read-page.js';
import { withId } from '../../client/reading/read-single.js';
import type { ServiceError } from '../../errors/errors.js';
import { printJson } from '../../text/exact-json.js';
import type { Leaves, ProbedKind } from './dialect.js';

export interface Reply {
  readonly answer?: Answer;
  readonly refusal?: ServiceError;
}

export interface Service {
  readonly origin: string;
  readonly prefix: string;
  readonly forms: Pick<Forms, 'list' | 'item'>;
  ask(target: string): Promise<Reply>;
}

type Query = Readonly<Record<string, string>>;
type Seen = NonNullable<ReturnType<typeof readSeen>>;

/** Asks for a page of one row, the page after it, and the row by its ID. */
export async function askKind(resource: DeclaredResource, service: Service): Promise<ProbedKind> {
  const { kind } = resource;
  const { list: forms } = service.forms;
  const list = async (query: Query, target = toTarget(kind, query)) => {
    const reply = await service.ask(target);
    return { ...reply, seen: readSeen(reply, { resource, service, target, query }) };
  };
  const { page, size, reply } = await askForOneRow(list, forms);
  if (page === undefined) {
    const status = reply.refusal?.details.status;
    if (status === undefined) return { kind, state: 'unread', leaves: {} };
    const isMissing = status === 404 || status === 405 || status === 501;
    return isMissing
      ? { kind, state: 'missing', missing: status, leaves: { [`kinds.${kind}.missing`]: status } }
      : { kind, state: 'refused', leaves: {} };
  }
  const way = await findWay(page, size, list, forms);
  const isUnclear = page.isMore && way.leaves['list.paging'] === undefined;
  return {
    kind,
    state: 'read',
    leaves: {
      ...describeFigures(page, way.second),
      ...(way.leaves['list.paging'] !== undefined && { 'list.parameters.limit': size }),
      ...way.leaves,
      ...(await findSizes(page, size, way.leaves, list)),
      ...(await describeItem(page, resource, service)),
    },
    isUnclear: isUnclear || page.items === undefined,
  };
}

type List = (query: Query, target?: string) => Promise<Reply & { readonly seen: Seen | undefined }>;

function toTarget(kind: string, query: Query): string {
  const search = new URLSearchParams(query);
  return search.size === 0 ? `/${kind}` : `/${kind}?${search}`;
}

/** A page of one row by `limit`, or by the name that the response has for it; otherwise the whole page. */
async function askForOneRow(list: List, { limitParameter = 'limit' }: ListForms) {
  const obeys = (seen: Seen | undefined) => seen && seen.ids.length <= 1 && (seen.limit ?? 1) === 1;
  const one = await list({ [limitParameter]: '1' });
  if (obeys(one.seen)) return { page: one.seen, size: limitParameter, reply: one };
  const plain = await list({});
  const name = plain.seen?.figures.limit;
  const other = name === undefined || name === limitParameter ? undefined : await list({ [name]: '1' });
  if (name !== undefined && obeys(other?.seen)) return { page: other?.seen, size: name, reply: plain };
  return { page: plain.seen, size: null, reply: plain };
}

/** A page as the reader reads it, with the names it took from it; `undefined` for a refusal or an unknown form. */
function readSeen(
  { answer }: Reply,
  {
    resource,
    service,
    target,
    query,
  }: { resource: DeclaredResource; service: Service; target: string; query: Query },
) {
  const value = answer && readJsonValue(answer.body);
  if (answer === undefined || value === undefined) return undefined;
  if (isResource(value) && findFailure(value, false) !== undefined) return undefined;
  const asked = { origin: service.origin, prefix: service.prefix, target };
  const { headers } = answer;
  const found = readPage({ value, headers, asked }, resource, service.forms, isResource);
  if (found === undefined) return undefined;
  const { data, total, limit, page: number, hasNext = false, onward = {} } = found.page;
  const ids = data.map((row) => readId(row) ?? printJson(row));
  const isFull = ids.length > 1 && total === undefined && ids.length === limit;
  const isMore = hasNext || isFull || (total ?? 0) > ids.length;
  return { ...found.used, query, headers, ids, limit, number, onward, isMore };
}

function describeFigures(page: Seen, second: Seen | undefined): Leaves {
  const { items, meta, counts } = page;
  const totalHeader =
    page.totalHeader?.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()) ?? null;
  const figures = { ...second?.figures, ...page.figures };
  // Only a list that goes on shows all of its fields.
  const isSure = (name: string) =>
    second !== undefined || items === null || !['next', 'hasMore'].includes(name);
  const fields = figureNames.flatMap((name) =>
    figures[name] !== undefined || isSure(name)
      ? [[`list.fields.${name}`, figures[name] ?? null] as const]
      : [],
  );
  return {
    ...(items !== undefined && { 'list.items': items }),
    ...(Object.keys(figures).length > 0 && { 'list.meta': meta }),
    ...Object.fromEntries(fields),
    ...(counts !== undefined && { 'list.counts': counts }),
    'list.totalHeader': totalHeader,
  };
}

interface Way {
  readonly leaves: Leaves;
  /** The page after the first, if it has other rows. */
  readonly second?: Seen | undefined;
}

/** Goes on as the reader does: by link, by the field that names the next page, or by number. */
async function findWay(page: Seen, size: string | null, list: List, forms: ListForms): Promise<Way> {
  const { onward, figures, query, ids } = page;
  const { next } = onward;
  const movesTo = async (given: Query, target?: string) => {
    const { seen } = await list({ ...query, ...given }, target);
    return seen !== undefined && seen.ids.length > 0 && seen.ids[0] !== ids[0] ? seen : undefined;
  };
  if (ids.length === 0 || onward.refused !== undefined) return { leaves: {} };
  if (next !== undefined && 'target' in next) {
    const second = await movesTo({}, next.target);
    const isLink = readLinks(page.headers).has('next');
    // A dialect has one place for all figures and the address.
    if (second === undefined || !(isLink || figures.next !== undefined)) return { second, leaves: {} };
    const parameter = readParameter(next.target, page, size, forms);
    return { second, leaves: { 'list.paging': isLink ? 'link' : 'next', ...parameter } };
  }
  if (next !== undefined) {
    const second = await movesTo({ [next.parameter]: next.value });
    const isCursor = figures.next !== undefined && next.parameter !== 'page';
    const isAfter = next.parameter === forms.after;
    if (second === undefined || !(isCursor || isAfter)) return { second, leaves: {} };
    const paging = isCursor ? 'cursor' : 'after';
    return { second, leaves: { 'list.paging': paging, 'list.parameters.page': next.parameter } };
  }
  const parameter = onward.pageParameter ?? forms.pageParameter ?? 'page';
  const isZero = page.number === undefined && (await movesTo({ [parameter]: '1' })) !== undefined;
  const first = page.number === 0 || isZero ? 0 : 1;
  const firstPage: Leaves = page.number === 0 || page.number === 1 ? { 'list.firstPage': first } : {};
  const second = await movesTo({ [parameter]: String(first + 1) });
  if (second !== undefined) {
    const leaves = { 'list.paging': 'page', 'list.firstPage': first, 'list.parameters.page': parameter };
    return { second, leaves };
  }
  const isWhole = size === null && ids.length > 1 && !page.isMore;
  return { leaves: isWhole ? { 'list.paging': 'none' } : firstPage };
}

/** The parameter of an address that chooses its page, and the number of the first page if it counts. */
function readParameter(
  address: string,
  { query, figures }: Seen,
  size: string | null,
  forms: ListForms,
): Leaves {
  const added = [...new URLSearchParams(address.split('?', 2)[1] ?? '')].filter(
    ([name, value]) => query[name] !== value && name !== size && name !== figures.limit,
  );
  const [name = '', value = ''] =
    added.find(([one]) => forms.page.some(({ parameter }) => parameter === one)) ?? added[0] ?? [];
  if (!fieldNamePattern.test(name)) return {};
  const first = value === '1' ? 0 : 1;
  return { 'list.parameters.page': name, ...(/^[12]$/.test(value) && { 'list.firstPage': first }) };
}

/** Page sizes, where only the number of rows shows whether a page is the last. */
async function findSizes({ figures }: Seen, size: string | null, way: Leaves, list: List): Promise<Leaves> {
  const { 'list.paging': paging, 'list.parameters.page': parameter, 'list.firstPage': first } = way;
  if (paging !== 'page' || typeof parameter !== 'string' || figures.total || figures.pages) return {};
  const plain = (await list({})).seen?.ids ?? [];
  const after = (await list({ [parameter]: String(Number(first) + 1) })).seen?.ids ?? [];
  if (after.length === 0) return {};
  const large = size === null ? undefined : await list({ [size]: '100' });
  // A refusal names the largest size, in most services.
  const named = (large?.refusal?.message.match(/\b\d{1,3}\b/g) ?? [])
    .map(Number)
    .filter((number) => number < 100);
  const max = large?.seen?.ids.length ?? Math.max(plain.length, ...named);
  return {
    'list.limit.default': Math.min(plain.length, max),
    'list.limit.max': max,
    ...(large && { 'list.limit.beyond': large.refusal === undefined ? 'cap' : 'refuse' }),
  };
}

async function describeItem({ rows }: Seen, resource: DeclaredResource, service: Service): Promise<Leaves> {
  const { item } = service.forms;
  const [row] = rows.filter(isResource);
  if (row === undefined) return {};
  const { id } = withId(row, resource, item);
  const name = spellNames(item.ids, resource, true).find((one) => pickField(row, one) === id);
  const names = Object.keys(row);
  const isSnake = names.includes('created_at') || names.includes('updated_at');
  const isCamel = names.includes('createdAt') || names.includes('updatedAt');
  const own = readId({ id });
  const reply = own === undefined ? {} : await service.ask(`/${resource.kind}/${encodeURIComponent(own)}`);
  const value = reply.answer && readJsonValue(reply.answer.body);
  const isOne = (one: unknown) => isResource(one) && readId(withId(one, resource, item)) !== undefined;
  const place = item.in.find((one) =>
    one === null
      ? isOne(value)
      : spellNames([one], resource, true).some((spelled) => isOne(pickField(value, spelled))),
  );
  return {
    ...(place !== undefined && { 'item.in': place }),
    // IDs of keys are used for signing, and are text in every dialect.
    ...(id !== undefined &&
      resource.kind !== 'api-keys' && { 'item.ids': typeof id === 'string' ? 'text' : 'number' }),
    ...((isSnake || isCamel) && { 'item.case': isSnake ? 'snake' : 'camel' }),
    ...(name !== undefined && name !== 'id' && { 'item.names.id': name }),
  };
}
