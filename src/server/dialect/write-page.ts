import type { Envelope } from '../../api/schema/envelope.js';
import type { RowPageRequest } from '../../storage/resources.js';
import { type Answer, jsonAnswer } from '../http/answer.js';
import { type KindDialect, shownId } from './kind-dialect.js';
import { writeCursor } from './read-page.js';

type Listed = Envelope<{ readonly id: string }>;

interface AnsweredPage {
  readonly kind: KindDialect;
  readonly organizationId: string;
  readonly page: RowPageRequest;
}

export async function writePage(answered: AnsweredPage, listed: Listed): Promise<Answer> {
  const { kind, organizationId } = answered;
  const { list, fields, listHolder } = kind;
  const isNumbered = kind.hasNumericIds || isByRow(kind);
  const numbers = await kind.rows.numbers(organizationId, isNumbered ? listed.data.map(({ id }) => id) : []);
  const further = await findFurther(answered, listed, numbers);
  const items = listed.data.map((own) =>
    fields.toTheirs({ ...own, ...('id' in own && { id: shownId(own.id, numbers, kind) }) }),
  );
  const about = describePage(answered, listed, further);
  const meta = list.meta === null ? about : { [list.meta]: about };
  const answer = jsonAnswer(200, listHolder === null ? items : { [listHolder]: items, ...meta });
  if (list.totalHeader !== null) answer.headers.push(list.totalHeader, String(listed.total));
  if (list.paging === 'link' && further !== undefined)
    answer.headers.push('Link', `<${further}>; rel="next"`);
  return answer;
}

function isByRow({ list }: KindDialect): boolean {
  return list.paging === 'cursor' || list.paging === 'after';
}

/** The reference to the next page: a cursor, the last ID, or an address. `undefined` if there is no next page. */
async function findFurther(
  { kind, organizationId, page }: AnsweredPage,
  listed: Listed,
  numbers: ReadonlyMap<string, number>,
): Promise<string | number | undefined> {
  const { paging } = kind.list;
  if (paging === 'none') return undefined;
  if (!isByRow(kind)) return page.page < listed.pages ? addressOfNext(kind, page) : undefined;
  if (listed.data.length < page.limit) return undefined;
  // Rows may have been deleted since they were read.
  const last = listed.data.findLast(({ id }) => numbers.has(id));
  const row = (last && numbers.get(last.id)) ?? page.after ?? 0;
  if (!(await kind.rows.hasAfter(organizationId, row))) return undefined;
  if (paging === 'cursor') return writeCursor(row);
  return kind.hasNumericIds ? row : last?.id;
}

/** Without a scheme or host, because clients may reach the server under others. */
function addressOfNext({ path, list }: KindDialect, { page, limit }: RowPageRequest): string {
  const { parameters, firstPage } = list;
  const query = new URLSearchParams();
  if (parameters.limit !== null) query.set(parameters.limit, String(limit));
  if (parameters.page !== null) query.set(parameters.page, String(page + firstPage));
  return `${path}?${query}`;
}

function describePage(
  { kind, page }: AnsweredPage,
  { total, pages }: Listed,
  further: string | number | undefined,
): Readonly<Record<string, unknown>> {
  const { fields, counts, firstPage, paging } = kind.list;
  const count = (number: number) => (counts === 'text' ? String(number) : number);
  const hasNumber = !isByRow(kind);
  const about = [
    [fields.total, count(total)],
    [hasNumber ? fields.page : null, count(page.page - 1 + firstPage)],
    [fields.limit, count(paging === 'none' ? total : page.limit)],
    [hasNumber ? fields.pages : null, count(pages)],
    [fields.next, further ?? null],
    [fields.hasMore, further !== undefined],
  ] as const;
  return Object.fromEntries(about.flatMap(([name, value]) => (name === null ? [] : [[name, value]])));
}
