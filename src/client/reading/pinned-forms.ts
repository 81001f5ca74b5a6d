import { type Dialect, dialectSchema } from '../../api/dialect/dialect.js';
import { isPreset, presets } from '../../api/dialect/presets.js';
import { checkValue } from '../../api/schema/schema.js';
import { toCamelCase } from '../../text/field-case.js';
import { type Forms, type ItemForms, knownForms, type ListForms } from './forms.js';

/** The forms that a dialect pins, or why the dialect is invalid. */
export function pinForms(dialect: unknown): { readonly forms: Forms } | { readonly misfit: string } {
  const value = typeof dialect === 'string' && isPreset(dialect) ? presets[dialect] : dialect;
  const checked = checkValue(dialectSchema, value);
  if ('misfit' in checked) return checked;
  return { forms: toForms(checked.data) };
}

export function toForms({ list, item, kinds, quotas, headers, errors }: Dialect): Forms {
  return {
    list: toListForms(list),
    item: toItemForms(item),
    kinds: new Map(
      Object.entries(kinds).map(([kind, own]) => [
        kind,
        { list: toListForms(own.list ?? list), item: toItemForms(own.item ?? item) },
      ]),
    ),
    quotas: quotaPlaces[quotas.form] ?? [quotas.form],
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

function toItemForms({ in: place, names, case: letters }: Dialect['item']): ItemForms {
  const spell = (own: string) => {
    const name = Object.hasOwn(names, own) ? (names[own] ?? own) : own;
    return [...new Set([name, toCamelCase(name)])];
  };
  return {
    in: [place],
    ids: Object.hasOwn(names, 'id') ? spell('id') : knownForms.item.ids,
    // `orgctl probe` only reads, so its dialects do not name the field of the secret.
    secrets: Object.hasOwn(names, 'secret') ? spell('secret') : knownForms.item.secrets,
    // Adds known names, because `id` may be a database number, which is never used for signing.
    keyIds: [...spell('id'), ...spell('key_id'), ...knownForms.item.keyIds],
    fields: new Map(Object.entries(names)),
    isCamel: letters === 'camel',
    isPinned: true,
  };
}

/** Choices in a dialect that are not the name of a field. */
const quotaPlaces: Partial<Record<Dialect['quotas']['form'], Forms['quotas']>> = {
  bare: [null],
  list: [null, 'data', 'quotas', 'items'],
};
const errorPlaces: Partial<Record<Dialect['errors'], readonly string[]>> = {
  messages: ['message'],
  problem: ['detail', 'title'],
  text: [],
};
