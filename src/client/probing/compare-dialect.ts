import type { Dialect } from '../../api/dialect/dialect.js';
import { resources } from '../../api/resources/index.js';
import type { ResourceNames } from '../reading/fields.js';
import { spellOwn } from './describe-dialect.js';
import { nameHolder } from './find-item.js';
import { type Leaf, leavesIn, referenceDialect } from './leaves.js';
import { spellHeader } from './observed-call.js';
import type { ProbedKind } from './probed-kind.js';
import type { ObservedService } from './to-dialect.js';

export interface DialectDifference {
  readonly kind?: string;
  readonly field: string;
  readonly expected: Leaf;
  readonly found: Leaf;
}

/** All found settings, each with the value in the expected dialect. */
export function compareSettings(
  { kinds, forms }: Pick<ObservedService, 'kinds' | 'forms'>,
  expected: Dialect = referenceDialect,
): readonly DialectDifference[] {
  const own = leavesIn(expected);
  const common = [...leavesIn(forms)].map(([field, found]) => ({
    field,
    expected: own.get(field) ?? null,
    found,
  }));
  return [...common, ...kinds.flatMap((observed) => compareKind(observed, expected))];
}

export function findDifferences(observed: ObservedService, expected: Dialect): readonly DialectDifference[] {
  return compareSettings(observed, expected).filter((setting) => setting.expected !== setting.found);
}

function compareKind(
  { kind, state, missing, list, item }: ProbedKind,
  dialect: Dialect,
): DialectDifference[] {
  if (state === 'unasked' || state === 'refused') return [];
  const own = dialect.kinds[kind];
  const presence = { kind, field: 'missing', expected: own?.missing ?? null, found: missing ?? null };
  if (state === 'missing' || own?.missing !== undefined) return [presence];
  const names = resources.find((one) => one.kind === kind) ?? { kind };
  const wanted = simplifyList(own?.list ?? dialect.list, names);
  if (state === 'unread') {
    return [presence, { kind, field: 'list.items', expected: wanted.items, found: 'none in a known form' }];
  }
  const lists = leavesIn(wanted, 'list');
  const items = leavesIn(simplifyItem(own?.item ?? dialect.item, names), 'item');
  const { case: letters, names: chosen } = own?.item ?? dialect.item;
  const found = [...leavesIn(list, 'list'), ...leavesIn(item, 'item')].filter(
    ([field, name]) => !isPlainName(field, name, item.case, chosen),
  );
  return [
    presence,
    ...found.map(([field, value]) => ({
      kind,
      field,
      expected: lists.get(field) ?? items.get(field) ?? spellDefault(field, letters),
      found: value,
    })),
  ];
}

function isPlainName(
  field: string,
  found: Leaf,
  letters: Dialect['item']['case'] | undefined,
  chosen: Readonly<Record<string, string>>,
): boolean {
  const [, name] = /^item\.names\.(.+)$/.exec(field) ?? [];
  return name !== undefined && !Object.hasOwn(chosen, name) && found === spellOwn(name, letters);
}

function spellDefault(field: string, letters: Dialect['item']['case']): string | null {
  const [, name] = /^item\.names\.(.+)$/.exec(field) ?? [];
  return name === undefined ? null : spellOwn(name, letters);
}

/** Unifies list settings that responses cannot tell apart. */
function simplifyList(list: Dialect['list'], names: ResourceNames): Dialect['list'] {
  const { items, paging, fields, totalHeader } = list;
  const isByRow = paging === 'cursor' || paging === 'after';
  const bare = { total: null, page: null, limit: null, pages: null, next: null, hasMore: null };
  return {
    ...list,
    items: nameHolder(items, names, false),
    meta: items === null ? null : list.meta,
    // A field that leads to the next page takes precedence over page numbers.
    paging: paging === 'page' && items !== null && fields.next !== null ? 'next' : paging,
    fields: items === null ? bare : isByRow ? { ...fields, page: null, pages: null } : fields,
    totalHeader: totalHeader && spellHeader(totalHeader),
  };
}

function simplifyItem(item: Dialect['item'], names: ResourceNames): Dialect['item'] {
  return { ...item, in: nameHolder(item.in, names, true) };
}
