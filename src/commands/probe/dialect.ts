import { type Dialect, dialectSchema, dialectVersion } from '../../api/dialect/dialect.js';
import { presets } from '../../api/dialect/presets.js';
import { isResource } from '../../api/resources/resource.js';
import { z } from '../../api/schema/schema.js';

type Leaf = string | number | boolean | null;

/** Settings of a dialect by their dotted paths, such as `list.items`. */
export type Leaves = Readonly<Record<string, Leaf>>;

/** One kind, as its lists and one resource show it. */
export interface ProbedKind {
  readonly kind: string;
  /** `unread`: the form is unknown; `refused`: this key may not list it. */
  readonly state: 'read' | 'missing' | 'unread' | 'refused';
  readonly missing?: number;
  readonly leaves: Leaves;
  /** Whether the list goes on in a way that the reader does not follow, or no dialect expresses. */
  readonly isUnclear?: boolean;
}

export interface Difference {
  readonly kind?: string;
  readonly field: string;
  readonly expected: Leaf;
  readonly found: Leaf;
}

/** What a probe found of a service. */
export interface Probed {
  readonly common: Leaves;
  readonly kinds: readonly ProbedKind[];
}

export const referenceDialect: Dialect = z.parse(dialectSchema, presets.reference);

function leavesOf(part: unknown, prefix = ''): Leaves {
  const entries = Object.entries(isResource(part) ? part : {}).flatMap(([name, value]): [string, Leaf][] =>
    isLeaf(value) ? [[`${prefix}${name}`, value]] : Object.entries(leavesOf(value, `${prefix}${name}.`)),
  );
  return Object.fromEntries(entries);
}

function isLeaf(value: unknown): value is Leaf {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** The dialect file: settings that differ from `reference`; those of most kinds apply to all. */
export function toDialectFile({ common, kinds }: Probed): unknown {
  const groups: { kinds: string[]; leaves: Leaves }[] = [];
  for (const { kind, leaves } of kinds.filter(({ state }) => state === 'read')) {
    const group = groups.find((one) => !contradicts(one.leaves, leaves));
    if (group === undefined) groups.push({ kinds: [kind], leaves });
    else Object.assign(group, { kinds: [...group.kinds, kind], leaves: { ...group.leaves, ...leaves } });
  }
  const [most, ...others] = groups.toSorted((one, other) => other.kinds.length - one.kinds.length);
  const own = others.flatMap((group) =>
    group.kinds.flatMap((kind) =>
      Object.entries(withoutSame(group.leaves)).map(([path, leaf]): [string, Leaf] => [
        `kinds.${kind}.${path}`,
        leaf,
      ]),
    ),
  );
  const missing = kinds.flatMap(({ state, leaves }) => (state === 'missing' ? Object.entries(leaves) : []));
  const all = { dialect: dialectVersion, ...withoutSame({ ...most?.leaves, ...common }) };
  const entries = [...Object.entries(all), ...own, ...missing];
  const order = ['dialect', 'basePath', 'list', 'item', 'kinds', 'quotas', 'headers', 'errors'];
  const place = ([path]: readonly [string, Leaf]) => order.indexOf(path.split('.')[0] ?? '');
  return nest(entries.toSorted((one, other) => place(one) - place(other)));
}

function contradicts(one: Leaves, other: Leaves): boolean {
  return Object.entries(other).some(([path, leaf]) => path in one && one[path] !== leaf);
}

function withoutSame(leaves: Leaves): Leaves {
  const reference = leavesOf(referenceDialect);
  return Object.fromEntries(Object.entries(leaves).filter(([path, leaf]) => reference[path] !== leaf));
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

/** All found settings beside those of a dialect. */
export function compareWith(dialect: Dialect, { common, kinds }: Probed): readonly Difference[] {
  const expected = leavesOf(dialect);
  const compare = (found: Leaves, wanted: Leaves, kind?: string) =>
    Object.entries(found).map(([field, leaf]) => ({
      ...(kind !== undefined && { kind }),
      field,
      expected: wanted[field] ?? null,
      found: leaf,
    }));
  return [
    ...compare(common, expected),
    ...kinds.flatMap(({ kind, state, missing = null, leaves }): Difference[] => {
      const own = dialect.kinds[kind];
      const presence = { kind, field: 'missing', expected: own?.missing ?? null, found: missing };
      if (state === 'refused') return [];
      if (missing !== null || own?.missing !== undefined) return [presence];
      const list = asServed(own?.list ?? dialect.list);
      const wanted = leavesOf({ list, item: own?.item ?? dialect.item });
      if (state === 'unread') {
        const found = 'none in a known form';
        return [presence, { kind, field: 'list.items', expected: wanted['list.items'] ?? null, found }];
      }
      return [presence, ...compare(leaves, wanted, kind)];
    }),
  ];
}

/** Unifies settings of lists that responses cannot tell apart. */
function asServed(list: Dialect['list']): Dialect['list'] {
  const { items, paging, fields } = list;
  const none = { total: null, page: null, limit: null, pages: null, next: null, hasMore: null };
  const isByRow = paging === 'cursor' || paging === 'after';
  return {
    ...list,
    meta: items === null ? null : list.meta,
    // A field that leads to the next page takes precedence over page numbers.
    paging: paging === 'page' && items !== null && fields.next !== null ? 'next' : paging,
    fields: items === null ? none : isByRow ? { ...fields, page: null, pages: null } : fields,
  };
}
