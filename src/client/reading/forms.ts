import { ownName } from '../../api/dialect/dialect-names.js';

export interface SentBack {
  readonly field: string;
  readonly parameter: string;
  /** A name for other things, too: ignored if the response has a number of pages, and no end of the list if null. */
  readonly isWeak?: true;
}

/** The forms of lists. Names are tried in order. */
export interface ListForms {
  /** Fields that hold the items; `null` stands for a bare array. */
  readonly items: readonly (string | null)[];
  /** Fields with objects that hold figures and other facts about pages. */
  readonly metas: readonly string[];
  readonly total: readonly string[];
  /** Fields that count items: of the list if the number exceeds the length of the page, otherwise of the page. */
  readonly count: readonly string[];
  readonly pages: readonly string[];
  readonly limit: readonly string[];
  readonly page: readonly SentBack[];
  readonly cursor: readonly SentBack[];
  /** Fields with the next page's address, path, number or cursor. */
  readonly next: readonly SentBack[];
  readonly hasMore: readonly string[];
  /** Parameter for the ID of the last item, used if the response does not name the next page. */
  readonly after: string | undefined;
  readonly links: boolean;
  readonly totalHeaders: readonly string[];
  readonly limitParameter: string | undefined;
  /** Largest accepted page size; `undefined` if only refusals show it. */
  readonly largest: number | undefined;
  /** Page size if the request has no limit; `undefined` if unknown. */
  readonly usual: number | undefined;
  readonly pageParameter: string | undefined;
  /** The first page's number; `undefined` if responses show it. */
  readonly firstPage: 0 | 1 | undefined;
  readonly byNumber: boolean;
  readonly isOnePage: boolean;
}

export interface ItemForms {
  /** Fields that hold the resource; `null` stands for the body itself. */
  readonly in: readonly (string | null)[];
  readonly ids: readonly string[];
  readonly secrets: readonly string[];
  /** Fields that may hold the signing ID of a key; a number in one of them is a database ID. */
  readonly keyIds: readonly string[];
  /** The service's names of fields, keyed by the API reference's names. */
  readonly fields: ReadonlyMap<string, string>;
  /** Whether to read `createdAt` as `created_at`. */
  readonly isCamel: boolean;
  /** Status that confirms a deletion, if a dialect pins one. */
  readonly deleted: number | undefined;
  /** Whether a dialect pins these names, also for requests. */
  readonly isPinned: boolean;
}

/** Paths to the texts of an error. A path leads to a string, or to a list of strings or objects. */
export type ErrorPaths = readonly (readonly string[])[];

/** A header with the time to wait. `reset`: seconds or a moment; `fields`: one of several fields, as in `RateLimit`. */
export type WaitHeader = {
  readonly header: string;
  readonly form: 'retry-after' | 'reset' | 'fields';
};

/** Forms of responses to look for: all known forms, or the ones that a dialect (docs/reference/dialects.md) pins. */
export interface Forms {
  readonly list: ListForms;
  readonly item: ItemForms;
  readonly kinds: ReadonlyMap<string, Pick<Forms, 'list' | 'item'>>;
  readonly quotas: {
    /** Fields that hold the quota record, or a list of quotas. */
    readonly in: readonly (string | null)[];
    readonly kinds: readonly string[];
  };
  readonly errors: ErrorPaths;
  readonly waits: readonly WaitHeader[];
}

const as = (parameter: string, ...names: readonly string[]): SentBack[] =>
  names.map((field) => ({ field, parameter }));

export const knownForms: Forms = {
  list: {
    items: [null, ownName, 'data', 'items', 'results'],
    metas: ['data', 'meta', 'pagination', 'paging', 'page', 'page_info', 'pageInfo', 'metadata', '_links'],
    total: ['total', 'total_count', 'totalCount', 'total_items', 'totalItems', 'totalElements'],
    count: ['count'],
    pages: ['pages', 'total_pages', 'totalPages', 'page_count', 'pageCount', 'last_page', 'lastPage'],
    limit: ['limit', 'per_page', 'perPage', 'page_size', 'pageSize'],
    page: [
      ...as('page', 'page', 'current_page', 'currentPage', 'number'),
      ...as('page_number', 'page_number'),
      ...as('pageNumber', 'pageNumber'),
    ],
    cursor: [
      ...as('cursor', 'next_cursor', 'nextCursor'),
      ...as('page_token', 'next_page_token'),
      ...as('pageToken', 'nextPageToken'),
      ...as('after', 'end_cursor', 'endCursor', 'after'),
      { field: 'cursor', parameter: 'cursor', isWeak: true },
    ],
    next: [
      ...as('page', 'next_page', 'nextPage'),
      ...as('cursor', 'next', 'next_url', 'nextUrl', 'next_link', 'nextLink', 'next_page_url'),
    ],
    hasMore: ['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage'],
    after: 'starting_after',
    links: true,
    totalHeaders: ['x-total-count', 'x-total', 'total-count'],
    limitParameter: 'limit',
    largest: undefined,
    usual: undefined,
    pageParameter: 'page',
    firstPage: undefined,
    byNumber: true,
    isOnePage: false,
  },
  item: {
    in: [null, ownName, 'data', 'result', 'item', 'record'],
    ids: ['id', `${ownName}_id`, `${ownName}Id`, 'uuid', '_id', 'uid', 'ID'],
    secrets: [
      ...['secret', 'secret_key', 'secretKey', 'api_secret', 'apiSecret', 'key_secret', 'keySecret'],
      ...['api_key_secret', 'apiKeySecret', 'client_secret', 'clientSecret', 'private_key', 'privateKey'],
      ...['token', 'api_token', 'apiToken', 'secret_value', 'secretValue', 'plaintext', 'value'],
    ],
    keyIds: [
      ...['id', 'key_id', 'keyId', 'api_key_id', 'apiKeyId', 'key', 'api_key', 'apiKey', 'public_id'],
      ...['publicId', 'access_key_id', 'accessKeyId', 'uuid'],
    ],
    fields: new Map(),
    isCamel: true,
    deleted: undefined,
    isPinned: false,
  },
  kinds: new Map(),
  quotas: {
    in: ['data', null, 'quotas', 'quota', 'items', 'results', 'result'],
    kinds: ['kind', 'name', 'resource', 'resource_kind', 'resourceKind', 'type'],
  },
  errors: [
    ['message'],
    ['error', 'message'],
    ['detail'],
    ['error_description'],
    ['error', 'detail'],
    ['error'],
    ['title'],
    ['errors'],
    ['msg'],
    ['reason'],
  ],
  waits: [
    { header: 'retry-after', form: 'retry-after' },
    { header: 'ratelimit-reset', form: 'reset' },
    { header: 'ratelimit', form: 'fields' },
    { header: 'x-ratelimit-reset', form: 'reset' },
    { header: 'x-rate-limit-reset', form: 'reset' },
  ],
};

export function chooseForms(forms: Forms, kind: string): Pick<Forms, 'list' | 'item'> {
  return forms.kinds.get(kind) ?? forms;
}

/** Query parameters that choose a page of a list: numbers, cursors, and IDs of items. */
export function listPageParameters(list: ListForms): ReadonlySet<string> {
  const sent = [...list.page, ...list.cursor, ...list.next].map(({ parameter }) => parameter);
  const names = [list.pageParameter, ...sent, list.after, 'offset', 'skip'];
  return new Set(names.filter((name) => name !== undefined));
}
