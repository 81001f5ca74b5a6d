/** Placeholder for the resource's name in the name of a field: `connections` in lists, `connection` elsewhere. */
export const ownName = '{kind}';

/** @inline */
type ReadonlyPartial<Value> = { readonly [Name in keyof Value]?: Value[Name] | undefined };

export type DialectPaging = 'page' | 'cursor' | 'after' | 'link' | 'next' | 'none';

/** The form of a service's lists. */
export interface DialectList
  extends ReadonlyPartial<{
    /** The field with the items, `{kind}` for the resource's name; `null`: the body is a bare array. */
    items: string | null;
    /** The field with the object that has `fields`; `null`: they are beside the items. */
    meta: string | null;
    paging: DialectPaging;
    firstPage: 0 | 1;
    /** Names of query parameters. The value of `page` is a number, a cursor or the last ID, depending on `paging`. */
    parameters: ReadonlyPartial<Record<'limit' | 'page', string | null>>;
    fields: ReadonlyPartial<Record<'total' | 'page' | 'limit' | 'pages' | 'next' | 'hasMore', string | null>>;
    totalHeader: string | null;
    counts: 'number' | 'text';
    limit: ReadonlyPartial<{ default: number; max: number; beyond: 'cap' | 'refuse' }>;
  }> {}

/** The form of responses with one resource. */
export interface DialectItem
  extends ReadonlyPartial<{
    /** The field with the resource, `{kind}` for its name; `null`: the body itself. */
    in: string | null;
    ids: 'text' | 'number';
    case: 'snake' | 'camel';
    /** Renamed fields, keyed by the name in the API reference or in the preset `reference`. */
    names: Readonly<Record<string, string>>;
    created: ReadonlyPartial<{ status: 200 | 201 | 202; body: 'item' | 'none' }>;
    deleted: 200 | 202 | 204;
  }> {}

/** A service's choices where the API reference is silent (docs/reference/dialects.md). Default: as in `reference`. */
export interface DialectInput
  extends ReadonlyPartial<{
    basePath: string;
    signedBasePath: boolean;
    list: DialectList;
    item: DialectItem;
    /** `missing` is the status of calls for a kind that the service lacks. */
    kinds: Readonly<
      Record<string, ReadonlyPartial<{ missing: 404 | 405 | 501; list: DialectList; item: DialectItem }>>
    >;
    quotas: ReadonlyPartial<{ form: 'data' | 'bare' | 'quotas' | 'list'; counts: 'number' | 'text' }>;
    headers: ReadonlyPartial<{
      case: 'as-documented' | 'lower' | 'upper';
      rateLimit: 'retry-after' | 'ratelimit-reset' | 'ratelimit' | 'x-ratelimit-reset' | 'none';
    }>;
    /** The form of an error's body. */
    errors: 'message' | 'messages' | 'error' | 'error.message' | 'detail' | 'problem' | 'errors' | 'text';
  }> {
  readonly dialect: 1;
}

/** Named dialects; `reference` is the server's default. */
export type PresetName = 'reference' | 'bare' | 'cursor' | 'camel';
