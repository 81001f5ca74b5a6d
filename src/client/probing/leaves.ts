import { type Dialect, dialectSchema } from '../../api/dialect/dialect.js';
import { presets } from '../../api/dialect/presets.js';
import { isResource } from '../../api/resources/resource.js';
import { z } from '../../api/schema/schema.js';

export type Leaf = string | number | boolean | null;

export const referenceDialect: Dialect = z.parse(dialectSchema, presets.reference);

/** The defined settings in a part of a dialect, by dotted path. */
export function leavesIn(part: unknown, prefix = ''): ReadonlyMap<string, Leaf> {
  const found = new Map<string, Leaf>();
  for (const [name, value] of Object.entries(isResource(part) ? part : {})) {
    const path = prefix === '' ? name : `${prefix}.${name}`;
    if (isLeaf(value)) found.set(path, value);
    else for (const [inner, leaf] of leavesIn(value, path)) found.set(inner, leaf);
  }
  return found;
}

function isLeaf(value: unknown): value is Leaf {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** The part without settings that are undefined, or the same in `other`. */
export function withoutSame<Part extends object>(part: Part, other: unknown): Partial<Part> {
  const kept: Partial<Part> = { ...part };
  const entries: [string, unknown][] = Object.entries(part);
  for (const [name, value] of entries) {
    const same: unknown = isResource(other) ? other[name] : undefined;
    const rest = isResource(value) ? withoutSame(value, same) : value;
    const isSame = value === same || value === undefined;
    if (isSame || (isResource(rest) && Object.keys(rest).length === 0)) Reflect.deleteProperty(kept, name);
    else Reflect.set(kept, name, rest);
  }
  return kept;
}

/** Merges two parts; `undefined` if they contradict each other. */
export function joinParts<Part extends object>(one: Part, other: Part): Part | undefined {
  const [leaves, more] = [leavesIn(one), leavesIn(other)];
  for (const [path, leaf] of more) {
    if (leaves.has(path) && leaves.get(path) !== leaf) return undefined;
  }
  return mergeParts(one, other);
}

function mergeParts<Part extends object>(one: Part, other: Part): Part {
  const own = new Map<string, unknown>(Object.entries(one));
  const inner = Object.entries(other).map(([name, value]: [string, unknown]) => {
    const before = own.get(name);
    const isBoth = isResource(before) && isResource(value);
    return [name, isBoth ? mergeParts(before, value) : value === undefined ? before : value] as const;
  });
  return { ...one, ...other, ...Object.fromEntries(inner) };
}
