import { identifierPattern } from '../routes/resource-request.js';
import type { KindDialect } from './kind-dialect.js';

/**
 * The server's own ID for the one in a request; `undefined` when there can be none. A numeric ID is the number of the row in
 * the order of creation: it needs no table, outlives a restart, and is the same for all servers of a database.
 */
export async function findId(
  text: string,
  organizationId: string,
  { hasNumericIds, rows }: KindDialect,
): Promise<string | undefined> {
  if (!hasNumericIds) return identifierPattern.test(text) ? text : undefined;
  return /^[1-9]\d{0,14}$/.test(text) ? rows.idAt(organizationId, Number(text)) : undefined;
}

/** The ID as answers have it. The text stays for a row that was deleted meanwhile. */
export function shownId(
  id: unknown,
  numbers: ReadonlyMap<string, number>,
  { hasNumericIds }: KindDialect,
): unknown {
  return hasNumericIds && typeof id === 'string' ? (numbers.get(id) ?? id) : id;
}
