import type { Dialect } from '../../api/dialect/dialect.js';
import { ownName } from '../../api/dialect/dialect-input.js';
import { readFieldNames } from '../../api/dialect/field-names.js';
import { largestLimit } from '../../api/quota.js';
import { apiKeys } from '../../api/resources/api-key.js';
import type { DeclaredResource } from '../../api/resources/index.js';
import { toRowField } from '../../api/resources/resource.js';
import { type Envelope, pageNumber } from '../../api/schema/envelope.js';
import type { Resources, RowPageRequest } from '../../storage/resources.js';
import { type Answer, badRequest, jsonAnswer } from '../http/answer.js';
import { type Bounds, identifierPattern, readCount } from '../routes/resources.js';

type Item = Readonly<Record<string, unknown>>;

export type KindDialect = ReturnType<typeof kindDialect>;

/** How the dialect presents one kind of resource. */
export function kindDialect(dialect: Dialect, resource: DeclaredResource, rows: Resources) {
  const { missing, list = dialect.list, item = dialect.item } = dialect.kinds[resource.kind] ?? {};
  const snake = resource.kind.replaceAll('-', '_');
  const [several, one] =
    item.case === 'camel' ? [resource.property, toRowField(resource)] : [snake, snake.replace(/s$/, '')];
  const fields = readFieldNames(resource, item);
  // A numeric ID is the row's number. API keys have none: their IDs begin with `key_`.
  const hasNumericIds = item.ids === 'number' && resource.kind !== apiKeys.kind;
  return {
    resource,
    rows,
    list,
    item,
    fields,
    hasNumericIds,
    /** The status of all calls, if the dialect lacks the kind. */
    missing,
    path: `${dialect.basePath}/${resource.kind}`,
    /** `null`: the body itself is the list or the resource. */
    listHolder: list.items === ownName ? several : list.items,
    itemHolder: item.in === ownName ? one : item.in,
    /** Whether pages continue after a row, rather than being numbered. */
    isByRow: list.paging === 'cursor' || list.paging === 'after',
    /** The stored ID; `undefined` for an impossible ID, or a number that no row has. */
    async findId(text: string, organizationId: string): Promise<string | undefined> {
      if (!hasNumericIds) return identifierPattern.test(text) ? text : undefined;
      return /^[1-9]\d{0,14}$/.test(text) ? rows.idAt(organizationId, Number(text)) : undefined;
    },
    /** Writes a resource in the dialect. If its row was deleted meanwhile, the ID stays text. */
    toTheirs(own: Item, numbers: ReadonlyMap<string, number>): Item {
      const id = hasNumericIds ? numbers.get(String(own['id'])) : undefined;
      return fields.toTheirs(id === undefined ? own : { ...own, id });
    },
  };
}

const largestCount = 9_999_999_999_999;

/** Reads a dialect's paging parameters. @throws HttpError 400 if one is invalid */
export async function readPage(
  query: Readonly<Record<string, unknown>>,
  organizationId: string,
  kind: KindDialect,
): Promise<RowPageRequest> {
  const { paging, firstPage, parameters, limit: bounds } = kind.list;
  if (paging === 'none') return { page: 1, limit: largestLimit };
  const read = (name: string | null, range: Bounds) =>
    name === null ? range.default : readCount(query, name, range);
  const max = bounds.beyond === 'cap' ? largestCount : bounds.max;
  const limit = Math.min(bounds.max, read(parameters.limit, { min: 1, max, default: bounds.default }));
  if (!kind.isByRow) {
    const page = read(parameters.page, { min: firstPage, max: pageNumber.max, default: firstPage });
    return { page: page - firstPage + 1, limit };
  }
  const text = parameters.page === null ? undefined : query[parameters.page];
  if (text === undefined) return { page: 1, limit };
  const after = await rowOf(text, organizationId, kind);
  if (after !== undefined) return { page: 1, limit, after };
  const wanted = paging === 'cursor' ? 'the cursor of a page' : `the ID of a ${kind.resource.singular}`;
  throw badRequest(`${parameters.page} must be ${wanted}`, 'query');
}

/** The row that a cursor or an ID names. A cursor stays valid after its row is deleted. */
async function rowOf(text: unknown, organizationId: string, kind: KindDialect): Promise<number | undefined> {
  if (typeof text !== 'string') return undefined;
  if (kind.list.paging === 'cursor') {
    const row = /^after (\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString())?.[1];
    return row === undefined ? undefined : Number(row);
  }
  const id = (await kind.findId(text, organizationId)) ?? '';
  return (await kind.rows.numbers(organizationId, [id])).get(id);
}

export async function writePage(
  listed: Envelope<{ readonly id: string }>,
  page: RowPageRequest,
  organizationId: string,
  kind: KindDialect,
): Promise<Answer> {
  const { list, listHolder, rows, isByRow } = kind;
  const shown = listed.data.slice(0, page.limit);
  const ids = kind.hasNumericIds || isByRow ? shown.map(({ id }) => id) : [];
  const numbers = await rows.numbers(organizationId, ids);
  const isLast = isByRow ? shown.length === listed.data.length : page.page >= listed.pages;
  const next = isLast ? undefined : isByRow ? toNextRow(numbers, page, kind) : toNextPage(page, kind);
  const items = shown.map((own) => kind.toTheirs(own, numbers));
  const about = describePage(kind, page, listed, next);
  const meta = list.meta === null ? about : { [list.meta]: about };
  const answer = jsonAnswer(200, listHolder === null ? items : { [listHolder]: items, ...meta });
  if (list.totalHeader !== null) answer.headers.push(list.totalHeader, String(listed.total));
  if (list.paging === 'link' && next !== undefined) answer.headers.push('Link', `<${next}>; rel="next"`);
  return answer;
}

/** A cursor for the next page, or the last ID of the rows that still exist. */
function toNextRow(
  numbers: ReadonlyMap<string, number>,
  { after = 0 }: RowPageRequest,
  { list, hasNumericIds }: KindDialect,
): string | number | undefined {
  const row = Math.max(after, ...numbers.values());
  if (list.paging === 'cursor') return Buffer.from(`after ${row}`).toString('base64url');
  return hasNumericIds ? row : [...numbers.keys()].find((id) => numbers.get(id) === row);
}

/** An address without scheme and host, which may differ from client to client. */
function toNextPage(
  { page, limit }: RowPageRequest,
  { path, list: { parameters, firstPage } }: KindDialect,
): string {
  const query = new URLSearchParams();
  if (parameters.limit !== null) query.set(parameters.limit, String(limit));
  if (parameters.page !== null) query.set(parameters.page, String(page + firstPage));
  return `${path}?${query}`;
}

function describePage(
  { isByRow, list: { fields, counts, firstPage, paging } }: KindDialect,
  { page, limit }: RowPageRequest,
  { total, pages }: Envelope<unknown>,
  next: string | number | undefined,
): Readonly<Record<string, unknown>> {
  const count = (number: number) => (counts === 'text' ? String(number) : number);
  const about = [
    [fields.total, count(total)],
    [isByRow ? null : fields.page, count(page - 1 + firstPage)],
    [fields.limit, count(paging === 'none' ? total : limit)],
    [isByRow ? null : fields.pages, count(pages)],
    [fields.next, next ?? null],
    [fields.hasMore, next !== undefined],
  ] as const;
  return Object.fromEntries(about.filter(([name]) => name !== null));
}
