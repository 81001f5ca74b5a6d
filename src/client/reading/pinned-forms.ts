import { findContradictions } from '../../api/dialect/contradictions.js';
import { type Dialect, dialectSchema } from '../../api/dialect/dialect.js';
import { isPreset, presets } from '../../api/dialect/presets.js';
import { checkValue, placeMessage } from '../../api/schema/schema.js';
import { toCamelCase } from '../../text/field-case.js';
import {
  type ErrorPaths,
  type Forms,
  type ItemForms,
  knownForms,
  type ListForms,
  type WaitHeader,
} from './forms.js';

/** The forms that a dialect (docs/reference/dialects.md) pins in place of the known forms; or why it is invalid. */
export function pinForms(dialect: unknown): { readonly forms: Forms } | { readonly misfit: string } {
  const value = typeof dialect === 'string' && isPreset(dialect) ? presets[dialect] : dialect;
  const checked = checkValue(dialectSchema, value);
  if ('misfit' in checked) return checked;
  const problems = findContradictions(checked.data).map(placeMessage);
  return problems.length > 0 ? { misfit: problems.join('; ') } : { forms: toForms(checked.data) };
}

function toForms({ list, item, kinds, quotas, headers, errors }: Dialect): Forms {
  const [lists, items] = [toListForms(list), toItemForms(item)];
  return {
    list: lists,
    item: items,
    kinds: new Map(
      Object.entries(kinds).map(([kind, own]) => [
        kind,
        {
          list: own.list === undefined ? lists : toListForms(own.list),
          item: own.item === undefined ? items : toItemForms(own.item),
        },
      ]),
    ),
    quotas: { in: quotaPlaces[quotas.form], kinds: ['kind'] },
    // The reference gives the body of an exceeded quota, whatever form other errors have.
    errors: [...errorPaths[errors], ...errorPaths.message],
    waits:
      headers.rateLimit === 'none' ? [] : [...rateLimits[headers.rateLimit], ...rateLimits['retry-after']],
  };
}

function toListForms(list: Dialect['list']): ListForms {
  const { paging, fields, parameters, firstPage } = list;
  const { page: pageParameter } = parameters;
  const names = (name: string | null) => (name === null ? [] : [name]);
  const sent = (name: string | null, parameter: string) => names(name).map((field) => ({ field, parameter }));
  return {
    items: [list.items],
    metas: names(list.meta),
    total: names(fields.total),
    count: [],
    pages: names(fields.pages),
    limit: names(fields.limit),
    page: sent(fields.page, pageParameter ?? 'page'),
    cursor: paging === 'cursor' ? sent(fields.next, pageParameter ?? 'cursor') : [],
    next: paging === 'next' ? sent(fields.next, pageParameter ?? 'page') : [],
    hasMore: names(fields.hasMore),
    after: paging === 'after' ? (pageParameter ?? 'starting_after') : undefined,
    links: paging === 'link',
    totalHeaders: names(list.totalHeader).map((name) => name.toLowerCase()),
    limitParameter: parameters.limit ?? undefined,
    largest: list.limit.max,
    usual: list.limit.default,
    pageParameter: paging === 'cursor' || paging === 'after' ? undefined : (pageParameter ?? undefined),
    firstPage,
    byNumber: paging === 'page',
    isOnePage: paging === 'none',
  };
}

function toItemForms({ in: place, names, case: letters, deleted }: Dialect['item']): ItemForms {
  const spell = (own: string) => {
    const name = Object.hasOwn(names, own) ? (names[own] ?? own) : own;
    return [...new Set([name, toCamelCase(name)])];
  };
  return {
    in: [place],
    ids: spell('id'),
    secrets: spell('secret'),
    // Adds known names, because `id` may be a database number, which is never used for signing.
    keyIds: [...spell('id'), ...spell('key_id'), ...knownForms.item.keyIds],
    fields: new Map(Object.entries(names)),
    isCamel: letters === 'camel',
    deleted,
    isPinned: true,
  };
}

const quotaPlaces: Readonly<Record<Dialect['quotas']['form'], Forms['quotas']['in']>> = {
  data: ['data'],
  bare: [null],
  quotas: ['quotas'],
  list: [null, 'data', 'quotas', 'items'],
};

const errorPaths: Readonly<Record<Dialect['errors'], ErrorPaths>> = {
  message: [['message']],
  messages: [['message']],
  error: [['error']],
  'error.message': [['error', 'message']],
  detail: [['detail']],
  problem: [['detail'], ['title']],
  errors: [['errors']],
  text: [],
};

const rateLimits: Readonly<Record<Exclude<Dialect['headers']['rateLimit'], 'none'>, readonly WaitHeader[]>> =
  {
    'retry-after': [{ header: 'retry-after', form: 'retry-after' }],
    'ratelimit-reset': [{ header: 'ratelimit-reset', form: 'reset' }],
    ratelimit: [{ header: 'ratelimit', form: 'fields' }],
    'x-ratelimit-reset': [{ header: 'x-ratelimit-reset', form: 'reset' }],
  };
