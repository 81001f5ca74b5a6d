import type { ApiRequest } from './exchange/request.js';
import type { NextPage } from './reading/page.js';

/** Options of every call. */
export type CallOptions = Pick<ApiRequest, 'signal' | 'deadline'>;

/** Which page of a list to fetch. Absent options have the service's defaults. */
export interface PageRequest extends CallOptions {
  /** Page size; the embedded service accepts 1 to 100, and defaults to 20. */
  readonly limit?: number | undefined;
  /** Page number, from 1. */
  readonly page?: number | undefined;
  /** The next page, as linked from another page. */
  readonly next?: NextPage | undefined;
  /** Parameter names and the number of the first page, if they differ from the API reference. */
  readonly names?: PageNames | undefined;
}

/** Names of paging parameters, and the number of the first page. */
export interface PageNames {
  readonly limitParameter?: string | undefined;
  readonly pageParameter?: string | undefined;
  readonly firstPage?: 0 | 1 | undefined;
}
