import { identifierPattern } from '../routes/resource-request.js';
import type { KindDialect } from './kind-dialect.js';

/** `undefined` for an impossible ID, or a number that no row has. A numeric ID is the row's number (`RowNumbers`). */
export async function findId(
  text: string,
  organizationId: string,
  { hasNumericIds, rows }: KindDialect,
): Promise<string | undefined> {
  if (!hasNumericIds) return identifierPattern.test(text) ? text : undefined;
  return /^[1-9]\d{0,14}$/.test(text) ? rows.idAt(organizationId, Number(text)) : undefined;
}

/** The ID in a response. A row that has been deleted meanwhile keeps its text ID. */
export function shownId(
  id: unknown,
  numbers: ReadonlyMap<string, number>,
  { hasNumericIds }: KindDialect,
): unknown {
  return hasNumericIds && typeof id === 'string' ? (numbers.get(id) ?? id) : id;
}
