import type { Envelope } from '../contract/envelope.js';
import { printJson } from '../contract/exact-json.js';
import { type Resource, resourceListSchema, resourceSchema } from '../contract/resource.js';
import type { z } from '../contract/schema.js';
import { UsageError } from '../errors.js';
import { decode } from './decode.js';
import type { Transport } from './transport.js';
import type { Method } from './transport-options.js';

/** One page of a list, as asked for; both left to the service when they are not given. */
export interface PageRequest {
  readonly limit?: number | undefined;
  readonly page?: number | undefined;
  /** Milliseconds that it may take, where it is one page of several. */
  readonly deadline?: number | undefined;
}

/** One page of a list, as answered. `total`, `page` and `pages` are there when the service sent an envelope. */
export type Page = Pick<Envelope<Resource>, 'data'> & Partial<Omit<Envelope<Resource>, 'data'>>;

/** The value of `Content-Type` of every body that is sent (reference, section 4). */
const jsonContentType = 'application/json';

/** The calls that connections, API keys and teams have in common. What the reference does not show of them is [ours]. */
export function resourceApi<Created extends z.ZodMiniType>(
  transport: Transport,
  collection: string,
  created: Created,
) {
  const call = async <Schema extends z.ZodMiniType>(
    schema: Schema,
    method: Method,
    target: string,
    body?: unknown,
    deadline?: number,
  ) => {
    const bytes = body === undefined ? undefined : Buffer.from(printJson(body));
    return decode(
      await transport.send({ method, target, body: bytes, contentType: jsonContentType, deadline }),
      schema,
    );
  };
  const item = (id: string) => `${collection}/${encodeId(id)}`;
  return {
    /** One page: `limit` is the page size, pages count from 1. */
    async list(request: PageRequest = {}): Promise<Page> {
      const target = `${collection}${queryOf(request)}`;
      const list = await call(resourceListSchema, 'GET', target, undefined, request.deadline);
      return Array.isArray(list) ? { data: list } : list;
    },
    create: (body: unknown) => call(created, 'POST', collection, body),
    get: async (id: string) => call(resourceSchema, 'GET', item(id)),
    update: async (id: string, body: unknown) => call(resourceSchema, 'PATCH', item(id), body),
    async delete(id: string): Promise<void> {
      await transport.send({ method: 'DELETE', target: item(id) });
    },
  };
}

/** @throws UsageError for an ID that is no path segment: `""` would address all of them, `..` something else */
function encodeId(id: string): string {
  if (!/^\.{0,2}$/.test(id)) return encodeURIComponent(id);
  throw new UsageError(`${JSON.stringify(id)} is not an ID`);
}

export type ResourceApi = ReturnType<typeof resourceApi>;

function queryOf({ limit, page }: PageRequest): string {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (page !== undefined) query.set('page', String(page));
  return query.size === 0 ? '' : `?${query}`;
}
