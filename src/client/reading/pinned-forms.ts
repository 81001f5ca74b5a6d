import { findContradictions } from '../../api/dialect/contradictions.js';
import { type Dialect, dialectSchema } from '../../api/dialect/dialect.js';
import { isPreset, presets } from '../../api/dialect/presets.js';
import { checkValue, placeMessage } from '../../api/schema/schema.js';
import { toCamelCase } from '../../text/field-case.js';
import { type Forms, type ItemForms, knownForms, type ListForms } from './forms.js';

/** The forms that a dialect (docs/reference/dialects.md) pins in place of the known forms; or why it is invalid. */
export function pinForms(dialect: unknown): { readonly forms: Forms } | { readonly misfit: string } {
  const value = typeof dialect === 'string' && isPreset(dialect) ? presets[dialect] : dialect;
  const checked = checkValue(dialectSchema, value);
  if ('misfit' in checked) return checked;
  const problems = findContradictions(checked.data).map(placeMessage);
  return problems.length > 0 ? { misfit: problems.join('; ') } : { forms: toForms(checked.data) };
}

function toForms({ list, item, kinds, quotas, headers, errors }: Dialect): Forms {
  return {
    list: toListForms(list),
    item: toItemForms(item),
    kinds: new Map(
      Object.entries(kinds).map(([kind, own]) => [
        kind,
        { list: toListForms(own.list ?? list), item: toItemForms(own.item ?? item) },
      ]),
    ),
    quotas: { in: quotaPlaces[quotas.form] ?? [quotas.form], kinds: ['kind'] },
    // The reference gives the body of an exceeded quota, whatever form other errors have.
    errors: [...(errorPlaces[errors] ?? [errors]), 'message'].map((path) => path.split('.')),
    waits: headers.rateLimit === 'none' ? [] : [...new Set(['retry-after', headers.rateLimit])],
  };
}

const named = (name: string | null) => (name === null ? [] : [name]);

function toListForms({ items, meta, paging, fields, parameters, ...list }: Dialect['list']): ListForms {
  const { page: parameter } = parameters;
  const isNumbered = paging !== 'cursor' && paging !== 'after';
  const sent = (name: string | null, otherwise: string) =>
    new Map(named(name).map((field) => [field, parameter ?? otherwise]));
  return {
    items: [items],
    metas: named(meta),
    total: named(fields.total),
    pages: named(fields.pages),
    limit: named(fields.limit),
    page: sent(fields.page, 'page'),
    cursor: sent(paging === 'cursor' ? fields.next : null, 'cursor'),
    next: sent(paging === 'next' ? fields.next : null, 'page'),
    hasMore: named(fields.hasMore),
    totalHeaders: named(list.totalHeader).map((name) => name.toLowerCase()),
    paging,
    limitParameter: parameters.limit ?? undefined,
    pageParameter: isNumbered ? (parameter ?? undefined) : undefined,
    after: paging === 'after' ? (parameter ?? 'starting_after') : undefined,
    firstPage: list.firstPage,
    sizes: list.limit,
  };
}

/** The known forms, after the names that a dialect has: for a service that is compared with it. */
export function besideKnown({ list, item }: Pick<Forms, 'list' | 'item'>): Pick<Forms, 'list' | 'item'> {
  const { list: known } = knownForms;
  const both = <Name>(own: Iterable<Name>, other: Iterable<Name>) => [...new Set([...own, ...other])];
  return {
    list: {
      ...known,
      items: both(list.items, known.items),
      metas: both(list.metas, known.metas),
      total: both(list.total, known.total),
      pages: both(list.pages, known.pages),
      limit: both(list.limit, known.limit),
      page: new Map([...list.page, ...known.page]),
      cursor: new Map([...list.cursor, ...known.cursor]),
      next: new Map([...list.next, ...known.next]),
      hasMore: both(list.hasMore, known.hasMore),
      totalHeaders: both(list.totalHeaders, known.totalHeaders),
      limitParameter: list.limitParameter ?? known.limitParameter,
      pageParameter: list.pageParameter ?? known.pageParameter,
    },
    item: {
      ...knownForms.item,
      in: both(item.in, knownForms.item.in),
      ids: both(item.ids, knownForms.item.ids),
    },
  };
}

function toItemForms({ in: place, names, case: letters }: Dialect['item']): ItemForms {
  const spell = (own: string) => {
    const name = Object.hasOwn(names, own) ? (names[own] ?? own) : own;
    return [...new Set([name, toCamelCase(name)])];
  };
  return {
    in: [place],
    ids: Object.hasOwn(names, 'id') ? spell('id') : knownForms.item.ids,
    // A probe, which only reads, cannot see the name of the secret.
    secrets: Object.hasOwn(names, 'secret') ? spell('secret') : knownForms.item.secrets,
    // Adds known names, because `id` may be a database number, which is never used for signing.
    keyIds: [...spell('id'), ...spell('key_id'), ...knownForms.item.keyIds],
    fields: new Map(Object.entries(names)),
    isCamel: letters === 'camel',
    isPinned: true,
  };
}

/** Forms that are not the name of the field to look in. */
const quotaPlaces: Partial<Record<Dialect['quotas']['form'], Forms['quotas']['in']>> = {
  bare: [null],
  list: [null, 'data', 'quotas', 'items'],
};
const errorPlaces: Partial<Record<Dialect['errors'], readonly string[]>> = {
  messages: ['message'],
  problem: ['detail', 'title'],
  text: [],
};
