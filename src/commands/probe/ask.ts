import { type Dialect, fieldNamePattern } from '../../api/dialect/dialect.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { isResource, readId } from '../../api/resources/resource.js';
import { findFailure } from '../../client/answers/outcome.js';
import type { Answer } from '../../client/exchange/exchange.js';
import { readJsonValue } from '../../client/exchange/exchange.js';
import { type Forms, knownForms, type ListForms, pickField, spellNames } from '../../client/reading/forms.js';
import { readLinks } from '../../client/reading/next-page.js';
import { readPage, type UsedNames } from '../../client/reading/read-page.js';
import { readQuotas } from '../../client/reading/read-quotas.js';
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
  readonly forms: Forms;
  ask(target: string): Promise<Reply>;
}

type Query = Readonly<Record<string, string>>;
type List = (query: Query, target?: string) => Promise<Reply & { readonly seen: Seen | undefined }>;
type Seen = NonNullable<ReturnType<typeof readSeen>>;

/** Finds the dialect settings of a kind: asks for a page of one row, the next page, and the row by its ID. */
export async function askKind(resource: DeclaredResource, service: Service): Promise<ProbedKind> {
  const { kind } = resource;
  const list: List = async (query, given) => {
    const target = given ?? `/${kind}?${new URLSearchParams(query)}`.replace(/\?$/, '');
    const reply = await service.ask(target);
    return { ...reply, seen: readSeen(reply, resource, service, target, query) };
  };
  const { page, size, refusal } = await askForOneRow(list);
  if (page === undefined) {
    const status = refusal?.details.status;
    if (status === undefined) return { kind, state: 'unread', leaves: {} };
    if (status !== 404 && status !== 405 && status !== 501) return { kind, state: 'refused', leaves: {} };
    return { kind, state: 'missing', missing: status, leaves: { [`kinds.${kind}.missing`]: status } };
  }
  const { leaves: way, second } = await findWay(page, size, list);
  const isPaged = way['list.paging'] !== undefined;
  return {
    kind,
    state: 'read',
    leaves: {
      ...describeFigures(page, second),
      ...(isPaged && { 'list.parameters.limit': size }),
      ...way,
      ...(await describeItem(page, resource, service)),
    },
  };
}

/** Gets a page of one row by the parameter `limit`, or as the response names it; otherwise a page of any size. */
async function askForOneRow(list: List) {
  const obeys = (seen: Seen | undefined) => seen && seen.ids.length <= 1 && (seen.limit ?? 1) === 1;
  const { seen } = await list({ limit: '1' });
  if (obeys(seen)) return { page: seen, size: 'limit' };
  const plain = await list({});
  const size = plain.seen?.figures['limit'] ?? 'limit';
  const other = size === 'limit' ? undefined : await list({ [size]: '1' });
  if (obeys(other?.seen)) return { page: other?.seen, size };
  return { page: plain.seen, size: null, refusal: plain.refusal };
}

/** A page as the client reads it, with the field names that it found; `undefined` for an error or an unreadable page. */
function readSeen(
  { answer }: Reply,
  resource: DeclaredResource,
  { origin, prefix, forms }: Service,
  target: string,
  query: Query,
) {
  const value = answer && readJsonValue(answer.body);
  if (answer === undefined || value === undefined) return undefined;
  if (isResource(value) && findFailure(value, false) !== undefined) return undefined;
  const { headers } = answer;
  const asked = { origin, prefix, target };
  const found = readPage({ value, headers, asked }, resource, forms, isResource);
  if (found === undefined) return undefined;
  const { data, total, limit, page: number, hasNext = false, onward = {} } = found.page;
  const ids = data.map((row) => readId(row) ?? printJson(row));
  const isFull = ids.length > 1 && total === undefined && ids.length === limit;
  const isMore = hasNext || isFull || (total ?? 0) > ids.length;
  return { ...found.used, ...nameFigures(found.used), query, headers, ids, limit, number, onward, isMore };
}

/** The known forms, and the names of fields in the lists of a dialect, which may be unusual. */
export function formsWith({ list, kinds }: Forms): Forms {
  const known = knownForms.list;
  const all = <Name>(names: readonly Name[], own: readonly Name[]) => [...new Set([...names, ...own])];
  const addTo = (own: ListForms): ListForms => ({
    ...known,
    items: all(known.items, own.items),
    metas: all(known.metas, own.metas),
    total: all(known.total, own.total),
    pages: all(known.pages, own.pages),
    limit: all(known.limit, own.limit),
    page: new Map([...own.page, ...known.page]),
    cursor: new Map([...own.cursor, ...known.cursor]),
    next: new Map([...own.next, ...known.next]),
    hasMore: all(known.hasMore, own.hasMore),
    totalHeaders: all(known.totalHeaders, own.totalHeaders),
  });
  const ofKinds = [...kinds].map(([kind, own]) => [kind, { ...own, list: addTo(own.list) }] as const);
  return { ...knownForms, list: addTo(list), kinds: new Map(ofKinds) };
}

/** Names of the figures (total, page, next …) in the object with the first of them: a dialect has one place for all. */
function nameFigures({ figures }: UsedNames) {
  const [first] = Object.values(figures).filter((one) => one !== undefined);
  const { meta = null } = first ?? {};
  const inMeta = Object.entries(figures).flatMap(([figure, one]) =>
    one?.meta === meta ? [[figure, one] as const] : [],
  );
  const count = inMeta.find(([figure]) => ['total', 'page', 'limit', 'pages'].includes(figure))?.[1];
  return {
    meta,
    figures: Object.fromEntries(inMeta.map(([figure, { name }]): [string, string] => [figure, name])),
    counts: count && (typeof count.raw === 'string' ? 'text' : 'number'),
  };
}

function describeFigures(page: Seen, second: Seen | undefined): Leaves {
  const { items, meta, counts, totalHeader } = page;
  const figures = { ...second?.figures, ...page.figures };
  // Fields for a next page may be absent only because there is none.
  const sure = ['total', 'page', 'limit', 'pages', ...(second || items === null ? ['next', 'hasMore'] : [])];
  return {
    ...(items !== undefined && { 'list.items': items }),
    ...(Object.keys(figures).length > 0 && { 'list.meta': meta }),
    ...Object.fromEntries(sure.map((name) => [`list.fields.${name}`, null])),
    ...Object.fromEntries(Object.entries(figures).map(([name, field]) => [`list.fields.${name}`, field])),
    ...(counts !== undefined && { 'list.counts': counts }),
    'list.totalHeader': totalHeader?.replaceAll(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()) ?? null,
  };
}

/** `second`: the page after the first, if it has other rows. */
type Way = { readonly leaves: Leaves; readonly second?: Seen | undefined };

/** Finds how a list goes on, as the client would: by link, by the field that names the next page, or by number. */
async function findWay(page: Seen, size: string | null, list: List): Promise<Way> {
  const { onward, figures, query, ids, number } = page;
  const { next } = onward;
  const movesTo = async (given: Query, target?: string) => {
    const { seen } = await list({ ...query, ...given }, target);
    return seen !== undefined && seen.ids.length > 0 && seen.ids[0] !== ids[0] ? seen : undefined;
  };
  if (ids.length === 0 || onward.refused !== undefined) return { leaves: {} };
  if (next !== undefined && 'target' in next) {
    const second = await movesTo({}, next.target);
    const isLink = readLinks(page.headers).has('next');
    // A dialect cannot have the next address in another place than the other fields.
    if (second === undefined || !(isLink || figures['next'] !== undefined)) return { second, leaves: {} };
    const parameter = describeParameter(next.target, [...Object.keys(query), size, figures['limit']]);
    return { second, leaves: { 'list.paging': isLink ? 'link' : 'next', ...parameter } };
  }
  if (next !== undefined) {
    const second = await movesTo({ [next.parameter]: next.value });
    const isCursor = figures['next'] !== undefined && next.parameter !== 'page';
    if (second === undefined || !(isCursor || next.parameter === knownForms.list.after))
      return { second, leaves: {} };
    const paging = isCursor ? 'cursor' : 'after';
    return { second, leaves: { 'list.paging': paging, 'list.parameters.page': next.parameter } };
  }
  const parameter = onward.pageParameter ?? 'page';
  const isZero = number === undefined && (await movesTo({ [parameter]: '1' })) !== undefined;
  const first = number === 0 || isZero ? 0 : 1;
  const second = await movesTo({ [parameter]: String(first + 1) });
  if (second !== undefined) {
    const leaves = { 'list.paging': 'page', 'list.firstPage': first, 'list.parameters.page': parameter };
    return { second, leaves };
  }
  if (size === null && ids.length > 1 && !page.isMore) return { leaves: { 'list.paging': 'none' } };
  return { leaves: number === 0 || number === 1 ? { 'list.firstPage': first } : {} };
}

/** The parameter by which an address chooses a page; if that is a number, also the number of the first page. */
function describeParameter(address: string, known: readonly (string | null | undefined)[]): Leaves {
  const query = new URLSearchParams(address.split('?', 2)[1] ?? '');
  const [name = '', value = ''] = [...query].find(([one]) => !known.includes(one)) ?? [];
  if (!fieldNamePattern.test(name)) return {};
  return {
    'list.parameters.page': name,
    ...(/^[12]$/.test(value) && { 'list.firstPage': Number(value) - 1 }),
  };
}

async function describeItem({ rows }: Seen, resource: DeclaredResource, service: Service): Promise<Leaves> {
  const { item } = knownForms;
  const [row] = rows.filter(isResource);
  if (row === undefined) return {};
  const { id } = withId(row, resource, item);
  const name = spellNames(item.ids, resource, true).find((one) => pickField(row, one) === id);
  // The reader adds fields under our names, which are not enumerable.
  const names = Object.keys(row);
  const isSnake = names.some((one) => /^(?:created|updated)_at$/.test(one));
  const isCamel = names.some((one) => /^(?:created|updated)At$/.test(one));
  const own = readId({ id });
  const { answer } =
    own === undefined ? {} : await service.ask(`/${resource.kind}/${encodeURIComponent(own)}`);
  const value = answer && readJsonValue(answer.body);
  const isOne = (one: unknown) => isResource(one) && readId(withId(one, resource, item)) !== undefined;
  const valuesIn = (place: string) => spellNames([place], resource, true).map((one) => pickField(value, one));
  const place = item.in.find((one) => (one === null ? [value] : valuesIn(one)).some(isOne));
  return {
    ...(place !== undefined && { 'item.in': place }),
    // IDs of keys are used for signing, and are text in every dialect.
    ...(id !== undefined &&
      resource.kind !== 'api-keys' && { 'item.ids': typeof id === 'string' ? 'text' : 'number' }),
    ...((isSnake || isCamel) && { 'item.case': isSnake ? 'snake' : 'camel' }),
    ...(name !== undefined && name !== 'id' && { 'item.names.id': name }),
  };
}

export function describeService(prefix: string, quotas: Reply, replies: readonly Reply[]): Leaves {
  const value = quotas.answer && readJsonValue(quotas.answer.body);
  const form = nameQuotaForm(value);
  const counts = form && typeOfCounts(value);
  const refused = replies.findLast(({ refusal }) => refusal?.answer !== undefined)?.refusal?.answer;
  const errors = refused && nameErrorForm(refused);
  const headers = new Set(replies.flatMap(({ answer }) => Object.keys(answer?.headers ?? {})));
  const rateLimit = ['ratelimit-reset', 'ratelimit', 'x-ratelimit-reset'].find((name) => headers.has(name));
  return {
    ...(/^(?:\/[\w.~-]+)*$/.test(prefix) && { basePath: prefix }),
    ...(form !== undefined && { 'quotas.form': form }),
    ...(counts !== undefined && { 'quotas.counts': counts }),
    ...(errors !== undefined && { errors }),
    ...(rateLimit !== undefined && { 'headers.rateLimit': rateLimit }),
  };
}

function nameQuotaForm(value: unknown): Dialect['quotas']['form'] | undefined {
  const isRecord = (one: unknown) =>
    Object.values(readQuotas(one, knownForms)).some((some) => Object.keys(some).length > 0);
  const data = pickField(value, 'data');
  if (!isRecord(value)) return undefined;
  if (Array.isArray(value)) return 'list';
  if (isRecord(data)) return Array.isArray(data) ? 'data' : undefined;
  return isRecord(pickField(value, 'quotas')) ? 'quotas' : 'bare';
}

function typeOfCounts(value: unknown): Dialect['quotas']['counts'] | undefined {
  const used = pickField(value, 'used');
  if (used !== undefined) return typeof used === 'string' ? 'text' : 'number';
  const inner = isResource(value) || Array.isArray(value) ? Object.values<unknown>(value) : [];
  return inner.map(typeOfCounts).find((type) => type !== undefined);
}

function nameErrorForm({ body, headers }: Pick<Answer, 'body' | 'headers'>): Dialect['errors'] | undefined {
  const value = readJsonValue(body);
  const isPlain = /^text\/plain\b/i.test(String(headers['content-type'] ?? ''));
  if (value === undefined) return isPlain && body.length > 0 ? 'text' : undefined;
  const isText = (name: string) => typeof pickField(value, name) === 'string';
  if (Array.isArray(pickField(value, 'errors'))) return 'errors';
  if (isText('detail')) return isText('title') ? 'problem' : 'detail';
  if (typeof pickField(pickField(value, 'error'), 'message') === 'string') return 'error.message';
  if (Array.isArray(pickField(value, 'message'))) return 'messages';
  if (isText('message')) return 'message';
  return isText('error') ? 'error' : undefined;
}
