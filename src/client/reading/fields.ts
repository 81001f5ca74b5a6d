import { ownName } from '../../api/dialect/dialect-names.js';
import type { ResourceDeclaration } from '../../api/resources/resource.js';
import { isResource, type Resource } from '../../api/resources/resource.js';
import { ExactNumber } from '../../text/exact-number.js';

export type ResourceNames = Pick<ResourceDeclaration, 'kind'> &
  Partial<Pick<ResourceDeclaration, 'property'>>;

/** The value of an object's own field, never of an inherited one such as `constructor`. */
export function pickField(value: unknown, name: string): unknown {
  return isResource(value) && Object.hasOwn(value, name) ? value[name] : undefined;
}

/** Replaces `{kind}` in field names with each spelling of the resource: `api-keys`, `api_keys` and `apiKeys`. */
export function spellNames(
  names: readonly string[],
  { kind, property = kind }: ResourceNames,
  isSingle: boolean,
): readonly string[] {
  const own = [kind, kind.replaceAll('-', '_'), property];
  const words = [...new Set(isSingle ? own.map((name) => name.replace(/s$/, '')) : own)];
  return names.flatMap((name) =>
    name.includes(ownName) ? words.map((word) => name.replace(ownName, word)) : [name],
  );
}

/** A whole number, also from digits in text; `undefined` for anything else. */
export function parseCount(value: unknown): number | undefined {
  if (typeof value === 'number') return Number.isInteger(value) ? value : undefined;
  if (typeof value === 'string' && /^\d{1,15}$/.test(value)) return Number(value);
  return value instanceof ExactNumber && /^\d+$/.test(String(value)) ? Number(value) : undefined;
}

/** The count in the first object that has any, under the first of the names that fits. */
export function firstCount(holders: readonly Resource[], names: readonly string[]): number | undefined {
  for (const holder of holders) {
    for (const name of names) {
      const count = parseCount(pickField(holder, name));
      if (count !== undefined) return count;
    }
  }
  return undefined;
}
