import type { Dialect } from '../../api/dialect/dialect.js';
import { ownName } from '../../api/dialect/dialect-input.js';
import { isResource, type Resource, type ResourceDeclaration } from '../../api/resources/resource.js';
import { ExactNumber } from '../../text/exact-number.js';

/** Fields of a page, each with the query parameter that sends its value back for the next page. */
export type SentBack = ReadonlyMap<string, string>;

/** How responses write lists, and requests choose pages. Names are tried in order. */
export interface ListForms {
  /** Fields that hold the items; `null`: a bare array. */
  readonly items: readonly (string | null)[];
  /** Fields whose objects hold totals, page numbers and the like. */
  readonly metas: readonly string[];
  readonly total: readonly string[];
  readonly pages: readonly string[];
  readonly limit: readonly string[];
  readonly page: SentBack;
  readonly cursor: SentBack;
  /** Fields with the next page's address, path or number. */
  readonly next: SentBack;
  readonly hasMore: readonly string[];
  readonly totalHeaders: readonly string[];
  /** How the next page is found; `any`: as each response shows. */
  readonly paging: Dialect['list']['paging'] | 'any';
  readonly limitParameter: string | undefined;
  readonly pageParameter: string | undefined;
  /** Parameter for the last item's ID, if the response only says that there is more. */
  readonly after: string | undefined;
  /** The first page's number; `undefined` if responses show it. */
  readonly firstPage: 0 | 1 | undefined;
  readonly sizes: { readonly default: number; readonly max: number } | undefined;
}

export interface ItemForms {
  /** Fields that hold the resource; `null`: the body itself. */
  readonly in: readonly (string | null)[];
  readonly ids: readonly string[];
  readonly secrets: readonly string[];
  /** Fields that hold a key's signing ID; a number there is a database ID. */
  readonly keyIds: readonly string[];
  /** The service's field names, by those of the API reference. */
  readonly fields: ReadonlyMap<string, string>;
  /** Whether to read `createdAt` as `created_at`. */
  readonly isCamel: boolean;
  /** Whether a dialect pins these names, also for requests. */
  readonly isPinned: boolean;
}

/** Paths to the texts of an error, or to lists of them. */
export type ErrorPaths = readonly (readonly string[])[];

/** How to read responses: in all known forms, or only in those that a dialect (docs/reference/dialects.md) pins. */
export interface Forms {
  readonly list: ListForms;
  readonly item: ItemForms;
  readonly kinds: ReadonlyMap<string, Pick<Forms, 'list' | 'item'>>;
  readonly quotas: readonly (string | null)[];
  readonly errors: ErrorPaths;
  /** Headers with the time to wait. */
  readonly waits: readonly string[];
}

const sentAs = (names: Readonly<Record<string, string>>): SentBack =>
  new Map(
    Object.entries(names).flatMap(([parameter, fields]) =>
      fields.split(' ').map((field) => [field, parameter]),
    ),
  );

export const knownForms: Forms = {
  list: {
    items: [null, ownName, 'data', 'items', 'results'],
    metas: ['data', 'meta', 'pagination', 'paging', 'page', 'page_info', 'pageInfo', 'metadata', '_links'],
    total: ['total', 'total_count', 'totalCount', 'total_items', 'totalItems', 'totalElements'],
    pages: ['pages', 'total_pages', 'totalPages', 'page_count', 'pageCount', 'last_page', 'lastPage'],
    limit: ['limit', 'per_page', 'perPage', 'page_size', 'pageSize'],
    page: sentAs({
      page: 'page current_page currentPage number',
      page_number: 'page_number',
      pageNumber: 'pageNumber',
    }),
    cursor: sentAs({
      cursor: 'next_cursor nextCursor cursor',
      page_token: 'next_page_token',
      pageToken: 'nextPageToken',
      after: 'end_cursor endCursor after',
    }),
    next: sentAs({
      page: 'next_page nextPage',
      cursor: 'next next_url nextUrl next_link nextLink next_page_url',
    }),
    hasMore: ['has_more', 'hasMore', 'has_next', 'hasNext', 'has_next_page', 'hasNextPage'],
    totalHeaders: ['x-total-count', 'x-total', 'total-count'],
    paging: 'any',
    limitParameter: 'limit',
    pageParameter: 'page',
    after: 'starting_after',
    firstPage: undefined,
    sizes: undefined,
  },
  item: {
    in: [null, ownName, 'data', 'result', 'key', 'credentials'],
    ids: ['id', `${ownName}_id`, `${ownName}Id`, 'uuid', '_id', 'uid', 'ID'],
    secrets: [
      ...['secret', 'secret_key', 'secretKey', 'api_secret', 'apiSecret', 'key_secret', 'keySecret'],
      ...['api_key_secret', 'apiKeySecret', 'client_secret', 'clientSecret', 'private_key', 'privateKey'],
      ...['token', 'api_token', 'apiToken', 'secret_value', 'secretValue', 'plaintext', 'value'],
    ],
    keyIds: [
      ...['id', 'key_id', 'keyId', 'api_key_id', 'apiKeyId', 'key', 'api_key', 'apiKey', 'public_id'],
      ...['publicId', 'access_key_id', 'accessKeyId', 'access_key', 'accessKey', 'uuid'],
    ],
    fields: new Map(),
    isCamel: true,
    isPinned: false,
  },
  kinds: new Map(),
  quotas: ['data', null, 'quotas', 'items', 'results'],
  errors: [
    ...[['message'], ['error', 'message'], ['detail'], ['error_description']],
    ...[['error'], ['title'], ['errors']],
  ],
  waits: ['retry-after', 'ratelimit-reset', 'ratelimit', 'x-ratelimit-reset', 'x-rate-limit-reset'],
};

export function chooseForms(forms: Forms, kind: string): Pick<Forms, 'list' | 'item'> {
  return forms.kinds.get(kind) ?? forms;
}

/** Query parameters that choose a page of a list. */
export function listPageParameters(list: ListForms): ReadonlySet<string> {
  const sent = [list.page, list.cursor, list.next].flatMap((names) => [...names.values()]);
  const names = [list.pageParameter, ...sent, list.after, 'offset', 'skip'];
  return new Set(names.filter((name) => name !== undefined));
}

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

/** An object of a response that may hold fields about its pages, and its name; `null` for the body. */
export interface Place {
  readonly meta: string | null;
  readonly holder: Resource;
}

/** A field of a response: its value as read and as received, its name, and the name of the object that holds it. */
export interface Found<Value> {
  readonly value: Value;
  readonly name: string;
  readonly meta: string | null;
  readonly raw: unknown;
}

/** The first field with a readable value. */
export function find<Value>(
  places: readonly Place[],
  names: readonly string[],
  read: (value: unknown, name: string) => Value | undefined,
): Found<Value> | undefined {
  for (const { meta, holder } of places) {
    for (const name of names) {
      const raw = pickField(holder, name);
      const value = raw === undefined ? undefined : read(raw, name);
      if (value !== undefined) return { value, name, meta, raw };
    }
  }
  return undefined;
}
