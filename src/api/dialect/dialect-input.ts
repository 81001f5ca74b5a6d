/** @inline */
type Ready<Value> = { readonly [Name in keyof Value]?: Value[Name] | undefined };

/** The lists of a dialect. */
export interface DialectList
  extends Ready<{
    /** The field that has the items, `{kind}` for the resource's own name; `null`: the body is a bare array. */
    items: string | null;
    /** The field that has total and pages; `null`: they stand beside the items. */
    meta: string | null;
    /** The way from one page to the next. */
    paging: 'page' | 'cursor' | 'after' | 'link' | 'next' | 'none';
    firstPage: 0 | 1;
    /** The parameters of a request, `null` where there is none; `page` is a number, a cursor, or the last ID. */
    parameters: Ready<{ limit: string | null; page: string | null }>;
    /** The fields of an answer, `null` where it has none. */
    fields: Ready<{
      total: string | null;
      page: string | null;
      limit: string | null;
      pages: string | null;
      /** A cursor, or the next page's address. */
      next: string | null;
      hasMore: string | null;
    }>;
    /** The header that has the total. */
    totalHeader: string | null;
    counts: 'number' | 'text';
    /** Page sizes, and what becomes of a larger one. */
    limit: Ready<{ default: number; max: number; beyond: 'cap' | 'refuse' }>;
  }> {}

/** The single answers of a dialect. */
export interface DialectItem
  extends Ready<{
    /** The field that has a single answer, `{kind}` for the resource's own name; `null`: it is the body. */
    in: string | null;
    ids: 'text' | 'number';
    case: 'snake' | 'camel';
    /** Other names of fields: ours to theirs. */
    names: Readonly<Record<string, string>>;
    created: Ready<{ status: 200 | 201 | 202; body: 'item' | 'none' }>;
    /** The status of a deletion. */
    deleted: 200 | 202 | 204;
  }> {}

/** What a service chose where the API reference shows nothing; what is left out is as in `reference` (docs/reference/dialects.md). */
export interface DialectInput
  extends Ready<{
    /** What the paths begin with, such as `/api/v1`. */
    basePath: string;
    signedBasePath: boolean;
    list: DialectList;
    item: DialectItem;
    /** Kinds that differ from that: `missing` is the status of one that the service does not have. */
    kinds: Readonly<
      Record<string, Ready<{ missing: 404 | 405 | 501; list: DialectList; item: DialectItem }>>
    >;
    quotas: Ready<{ form: 'data' | 'bare' | 'quotas' | 'list'; counts: 'number' | 'text' }>;
    headers: Ready<{
      case: 'as-documented' | 'lower' | 'upper';
      rateLimit: 'retry-after' | 'ratelimit-reset' | 'ratelimit' | 'x-ratelimit-reset' | 'none';
    }>;
    /** The form of an error's body. */
    errors: 'message' | 'messages' | 'error' | 'error.message' | 'detail' | 'problem' | 'errors' | 'text';
  }> {
  /** The version of the form. */
  readonly dialect: 1;
}

/** The dialects that have names; `reference` is the server's own. */
export type PresetName = 'reference' | 'bare' | 'cursor' | 'camel';
