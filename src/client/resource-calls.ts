import { callsOf, type Operation } from '../api/operations.js';
import { isIdText, listSchemaOf, type ResourceDeclaration } from '../api/resources/resource.js';
import type { z } from '../api/schema/schema.js';
import { UsageError } from '../errors/errors.js';
import { printJson } from '../text/exact-json.js';
import { decode } from './answers/decode.js';
import { type Page, pageOf } from './answers/page.js';
import type { ApiRequest } from './exchange/request.js';
import type { Transport } from './transport/transport.js';

/** What every call takes besides its data. */
export type CallOptions = Pick<ApiRequest, 'signal' | 'deadline'>;

/** Which page of a list to fetch; the service chooses what is not given. */
export interface PageRequest extends CallOptions {
  /** How many items a page has; the embedded service takes 1 to 100, default 20. */
  readonly limit?: number | undefined;
  /** Which page, from 1 [ours]. */
  readonly page?: number | undefined;
}

/** How the answers of a resource are decoded. */
interface Schemas<Item, Created> {
  readonly item: z.ZodMiniType<Item>;
  readonly created: z.ZodMiniType<Created>;
}

/** The `Content-Type` of every body that is sent (reference, section 4). */
const jsonContentType = 'application/json';

/** The calls of one resource, from `contract/operations.ts`; answers pass through untouched. */
export function resourceCalls<Item, Created = Item, Input = unknown, Patch = unknown>(
  transport: Transport,
  resource: ResourceDeclaration,
  schemas: Schemas<Item, Created>,
) {
  const { list, create, get, update, delete: remove } = callsOf(resource);
  let page: ReturnType<typeof listSchemaOf<Item>> | undefined;
  const send = (
    { method }: Operation,
    target: string,
    { signal, deadline }: CallOptions,
    body?: unknown,
    left?: number,
  ) => {
    const bytes = body === undefined ? undefined : Buffer.from(printJson(body));
    const request = { method, target, body: bytes, contentType: jsonContentType, signal, deadline };
    return transport.send(request, left);
  };
  return {
    /** One page: `limit` is the page size, pages count from 1; `left` as for `FetchPage`. */
    async list(request: PageRequest = {}, left?: number): Promise<Page<Item>> {
      page ??= listSchemaOf(schemas.item);
      const answer = await send(list, `${list.path}${queryOf(request)}`, request, undefined, left);
      return pageOf(decode(answer, page), answer);
    },
    create: async (body: Input, options: CallOptions = {}): Promise<Created> =>
      decode(await send(create, create.path, options, body), schemas.created),
    get: async (id: string, options: CallOptions = {}): Promise<Item> =>
      decode(await send(get, pathOf(get, id), options), schemas.item),
    update: async (id: string, body: Patch, options: CallOptions = {}): Promise<Item> =>
      decode(await send(update, pathOf(update, id), options, body), schemas.item),
    async delete(id: string, options: CallOptions = {}): Promise<void> {
      await send(remove, pathOf(remove, id), options);
    },
  };
}

/** @throws UsageError for an ID that cannot be a path segment: `""` would address the collection, `..` something else */
function pathOf({ path }: Operation, id: string): string {
  if (!isIdText(id)) throw new UsageError(`${JSON.stringify(id)} is not an ID`);
  return path.replace('{id}', () => encodeURIComponent(id));
}

function queryOf({ limit, page }: PageRequest): string {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (page !== undefined) query.set('page', String(page));
  return query.size === 0 ? '' : `?${query}`;
}
