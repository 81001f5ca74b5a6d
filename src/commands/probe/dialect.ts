import { type Dialect, dialectSchema, dialectVersion } from '../../api/dialect/dialect.js';
import { presets } from '../../api/dialect/presets.js';
import { isResource } from '../../api/resources/resource.js';
import { z } from '../../api/schema/schema.js';

type Leaf = string | number | boolean | null;

/** Settings of a dialect by their dotted paths, such as `list.items`. */
export type Leaves = Readonly<Record<string, Leaf>>;

export interface ProbedKind {
  readonly kind: string;
  /** `unread`: the list could not be understood; `refused`: this key may not list it. */
  readonly state: 'read' | 'missing' | 'unread' | 'refused';
  readonly missing?: number;
  readonly leaves: Leaves;
}

export interface Difference {
  readonly kind?: string;
  readonly field: string;
  readonly expected: Leaf;
  readonly found: Leaf;
}

export interface Probed {
  readonly common: Leaves;
  readonly kinds: readonly ProbedKind[];
}

export const referenceDialect: Dialect = z.parse(dialectSchema, presets.reference);

function leavesOf(part: unknown, prefix = ''): Leaves {
  if (!isResource(part)) return {};
  const entries = Object.entries(part).flatMap(([name, value]): [string, Leaf][] =>
    isLeaf(value) ? [[`${prefix}${name}`, value]] : Object.entries(leavesOf(value, `${prefix}${name}.`)),
  );
  return Object.fromEntries(entries);
}

function isLeaf(value: unknown): value is Leaf {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** The dialect file: settings that differ from `reference`. A kind that contradicts earlier ones gets its own settings. */
export function toDialectFile({ common, kinds }: Probed): unknown {
  let shared: Leaves = common;
  const own: (readonly [string, Leaf])[] = [];
  for (const { kind, state, leaves } of kinds) {
    if (state === 'missing') own.push(...Object.entries(leaves));
    for (const part of state === 'read' ? ['list.', 'item.'] : []) {
      const ofPart = Object.fromEntries(Object.entries(leaves).filter(([path]) => path.startsWith(part)));
      const isOther = Object.entries(ofPart).some(
        ([path, leaf]) => (path in shared && shared[path] !== leaf) || namesKind(leaf, kind, path),
      );
      if (!isOther) shared = { ...shared, ...ofPart };
      else own.push(...unusual(ofPart).map(([path, leaf]) => [`kinds.${kind}.${path}`, leaf] as const));
    }
  }
  return nest([['dialect', dialectVersion], ...unusual(shared), ...own]);
}

/** Whether the name of an ID has the kind in it, such as `team_id`, and so cannot be that of other kinds. */
function namesKind(leaf: Leaf, kind: string, path: string): boolean {
  const simple = (text: string) => text.toLowerCase().replaceAll(/[^a-z]/g, '');
  return path === 'item.names.id' && simple(String(leaf)).startsWith(simple(kind).replace(/s$/, ''));
}

function unusual(leaves: Leaves): readonly (readonly [string, Leaf])[] {
  const reference = leavesOf(referenceDialect);
  return Object.entries(leaves).filter(([path, leaf]) => reference[path] !== leaf);
}

function nest(entries: readonly (readonly [string, Leaf])[]): unknown {
  const root: Record<string, unknown> = {};
  for (const [path, leaf] of entries) {
    const names = path.split('.');
    const last = names.pop() ?? '';
    let place = root;
    for (const name of names) {
      const inner = place[name];
      const next: Record<string, unknown> = isResource(inner) ? inner : {};
      place[name] = next;
      place = next;
    }
    place[last] = leaf;
  }
  return root;
}

/** Pairs each setting that was found with that of a dialect. */
export function compareWith(dialect: Dialect, { common, kinds }: Probed): readonly Difference[] {
  const compare = (found: Leaves, wanted: Leaves, kind?: string): Difference[] =>
    Object.entries(found).map(([field, leaf]) => ({
      ...(kind !== undefined && { kind }),
      ...{ field, expected: wanted[field] ?? null, found: leaf },
    }));
  const ofKinds = kinds.flatMap(({ kind, state, missing = null, leaves }): Difference[] => {
    const own = dialect.kinds[kind];
    const presence = { kind, field: 'missing', expected: own?.missing ?? null, found: missing };
    if (state === 'refused') return [];
    if (missing !== null || own?.missing !== undefined) return [presence];
    const wanted = leavesOf({ list: asServed(own?.list ?? dialect.list), item: own?.item ?? dialect.item });
    const found: Leaves = state === 'unread' ? { 'list.items': 'none in a known form' } : leaves;
    return [presence, ...compare(found, wanted, kind)];
  });
  return [...compare(common, leavesOf(dialect)), ...ofKinds];
}

/** Unifies settings of lists that responses cannot tell apart. */
function asServed(list: Dialect['list']): Dialect['list'] {
  const { items, paging, fields } = list;
  const none = { total: null, page: null, limit: null, pages: null, next: null, hasMore: null };
  if (items === null) return { ...list, meta: null, fields: none };
  if (paging === 'cursor' || paging === 'after') {
    return { ...list, fields: { ...fields, page: null, pages: null } };
  }
  // A field that leads to the next page takes precedence over page numbers.
  return paging === 'page' && fields.next !== null ? { ...list, paging: 'next' } : list;
}
