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
  if (field === 'config.ssl' && own !== theirs) {
    const flag = readSwitch(one);
    return flag !== undefined && flag === readSwitch(other);
  }
  return own === theirs || (field === 'config.host' && own.toLowerCase() === theirs.toLowerCase());
}

/** A boolean, also as a number or text; `undefined` for anything else. */
export function readSwitch(value: unknown): boolean | undefined {
  return isScalar(value) ? switches.get(String(value).toLowerCase()) : undefined;
}

const switches = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);

function isScalar(value: unknown): boolean {
  return value instanceof ExactNumber || ['string', 'number', 'boolean'].includes(typeof value);
}
