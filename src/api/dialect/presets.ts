import type { DialectFile } from './dialect.js';
import type { PresetName } from './dialect-input.js';

/** `reference` is the default of `serve`; the others combine plausible choices of other services. */
export const presets = {
  reference: { dialect: 1 },
  bare: {
    dialect: 1,
    list: {
      items: null,
      paging: 'link',
      fields: { total: null, page: null, limit: null, pages: null },
      limit: { beyond: 'cap' },
    },
    quotas: { form: 'bare' },
    headers: { rateLimit: 'x-ratelimit-reset' },
    errors: 'error',
  },
  cursor: {
    dialect: 1,
    list: {
      items: 'items',
      paging: 'cursor',
      parameters: { page: 'cursor' },
      fields: { total: null, page: null, limit: null, pages: null, next: 'next_cursor', hasMore: 'has_more' },
      limit: { default: 50, max: 50, beyond: 'cap' },
    },
    item: { in: 'data', names: { secret: 'secret_key' } },
    quotas: { form: 'list' },
    headers: { case: 'lower', rateLimit: 'ratelimit' },
    errors: 'problem',
  },
  camel: {
    dialect: 1,
    basePath: '/api/v1',
    list: {
      items: '{kind}',
      meta: 'meta',
      firstPage: 0,
      parameters: { limit: 'pageSize', page: 'pageNumber' },
      fields: { total: 'totalCount', page: 'pageNumber', limit: 'pageSize', pages: 'totalPages' },
      counts: 'text',
    },
    item: {
      in: '{kind}',
      ids: 'number',
      case: 'camel',
      names: { secret: 'apiSecret' },
      created: { status: 200 },
      deleted: 200,
    },
    quotas: { form: 'quotas', counts: 'text' },
    headers: { rateLimit: 'ratelimit-reset' },
    errors: 'errors',
  },
} as const satisfies Readonly<Record<PresetName, DialectFile>>;

export function isPreset(name: string): name is PresetName {
  return Object.hasOwn(presets, name);
}
