import type { Resource } from '../../../api/resources/resource.js';
import { readTime } from '../../../text/duration.js';
import { hideField } from './hide-field.js';
import { isPast, readFlag, simplifyName, stateFields } from './record-mark.js';

const enabledFlags: ReadonlySet<string> = new Set(['enabled', 'isenabled', 'active', 'isactive']);
const disabledFlags: ReadonlySet<string> = new Set(['disabled', 'isdisabled']);
const states: ReadonlyMap<unknown, boolean> = new Map([
  ...['enabled', 'active'].map((state) => [state, true] as const),
  ...['disabled', 'deactivated', 'inactive'].map((state) => [state, false] as const),
]);
const times: ReadonlySet<string> = new Set(
  ['disabled', 'deactivated'].flatMap((verb) => [`${verb}at`, `${verb}on`]),
);

/** Adds `enabled` to a key whose status has another form; not enumerable, so that printing leaves it out. */
export function addEnabled<Key extends Resource>(key: Key): Key {
  const enabled = Object.hasOwn(key, 'enabled') ? undefined : readEnabled(key);
  if (enabled !== undefined) hideField(key, 'enabled', enabled);
  return key;
}

/** Whether a key says that it is enabled; `undefined` if it says nothing, or contradicts itself. */
export function readEnabled(key: Resource): boolean | undefined {
  const fields = Object.entries(key).map(([name, value]) => [simplifyName(name), value] as const);
  const said = new Set(fields.map(([name, value]) => readMark(name, value)));
  said.delete(undefined);
  const [first, ...others] = said;
  if (first !== undefined) return others.length === 0 ? first : undefined;
  const isNever = fields.some(([name, value]) => times.has(name) && (value === null || isUnreached(value)));
  return isNever || undefined;
}

function readMark(name: string, value: unknown): boolean | undefined {
  if (enabledFlags.has(name)) return readFlag(value);
  if (disabledFlags.has(name)) return invert(readFlag(value));
  if (stateFields.has(name)) return typeof value === 'string' ? states.get(value.toLowerCase()) : undefined;
  return times.has(name) && isPast(value) ? false : undefined;
}

function invert(flag: boolean | undefined): boolean | undefined {
  return flag === undefined ? undefined : !flag;
}

function isUnreached(time: unknown): boolean {
  return readTime(time) !== undefined && !isPast(time);
}
