import { largestLimit } from '../../api/quota.js';
import { pageNumber } from '../../api/schema/envelope.js';
import type { RowPageRequest } from '../../storage/resources.js';
import { badRequest } from '../http/http-error.js';
import { readCount } from '../routes/resources.js';
import { findId, type KindDialect } from './kind-dialect.js';

type Query = Readonly<Record<string, unknown>>;

const largestCount = 9_999_999_999_999;

/** Reads a dialect's paging parameters. @throws HttpError 400 if one is invalid */
export async function readPage(
  query: Query,
  organizationId: string,
  kind: KindDialect,
): Promise<RowPageRequest> {
  const { paging, firstPage, parameters } = kind.list;
  if (paging === 'none') return { page: 1, limit: largestLimit };
  const limit = readLimit(query, kind.list);
  if (paging === 'cursor') return { page: 1, limit, after: readCursor(query, parameters.page) };
  if (paging === 'after') return { page: 1, limit, after: await readAfter(query, organizationId, kind) };
  const bounds = { min: firstPage, max: pageNumber.max, default: firstPage };
  const page = parameters.page === null ? firstPage : readCount(query, parameters.page, bounds);
  return { page: page - firstPage + 1, limit };
}

function readLimit(query: Query, { parameters, limit }: KindDialect['list']): number {
  const { default: whenAbsent, max, beyond } = limit;
  if (parameters.limit === null) return whenAbsent;
  const largest = beyond === 'cap' ? largestCount : max;
  return Math.min(max, readCount(query, parameters.limit, { min: 1, max: largest, default: whenAbsent }));
}

const cursorText = /^after (\d{1,15})$/;

/** A cursor names the last row, and stays valid after that row is deleted. */
export function writeCursor(row: number): string {
  return Buffer.from(`after ${row}`).toString('base64url');
}

function readCursor(query: Query, name: string | null): number | undefined {
  const text = readText(query, name);
  if (text === undefined) return undefined;
  const [, row] = cursorText.exec(Buffer.from(text, 'base64url').toString()) ?? [];
  if (row === undefined) throw badRequest(`${name} must be the cursor of a page`, 'query');
  return Number(row);
}

async function readAfter(
  query: Query,
  organizationId: string,
  kind: KindDialect,
): Promise<number | undefined> {
  const name = kind.list.parameters.page;
  const text = readText(query, name);
  if (text === undefined) return undefined;
  const id = await findId(text, organizationId, kind);
  const row = id === undefined ? undefined : (await kind.rows.numbers(organizationId, [id])).get(id);
  if (row === undefined) throw badRequest(`${name} must be the ID of a ${kind.resource.singular}`, 'query');
  return row;
}

function readText(query: Query, name: string | null): string | undefined {
  const value = name === null ? undefined : query[name];
  if (value === undefined || typeof value === 'string') return value;
  throw badRequest(`${name} must appear once`, 'query');
}
