import { ExactNumber } from '../../text/exact-number.js';
import { isPostgres } from './connection.js';

/**
 * Whether two scalars mean the same, such as `5432` and `"5432"`: services may normalize what they store.
 * @param field the field's path in the resource, such as `config.host`
 */
export function isSameValue(field: string, one: unknown, other: unknown): boolean {
  if (!isScalar(one) || !isScalar(other)) return false;
  if (field === 'type' && isPostgres(one) && isPostgres(other)) return true;
  const [own, theirs] = [String(one), String(other)];
  const flag = field === 'config.ssl' ? readSwitch(one) : undefined;
  if (flag !== undefined) return flag === readSwitch(other);
  return own === theirs || (field === 'config.host' && own.toLowerCase() === theirs.toLowerCase());
}

/** A boolean, also as a number or text; `undefined` for anything else. */
export function readSwitch(value: unknown): boolean | undefined {
  const text = isScalar(value) ? String(value).toLowerCase() : '';
  return /^(true|1)$/.test(text) ? true : /^(false|0)$/.test(text) ? false : undefined;
}

function isScalar(value: unknown): boolean {
  return value instanceof ExactNumber || ['string', 'number', 'boolean'].includes(typeof value);
}
