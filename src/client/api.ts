import type { Envelope } from '../contract/envelope.js';
import { printJson } from '../contract/exact-json.js';
import { callsOf, type Operation, readQuotas } from '../contract/operations.js';
import { type QuotaRecord, quotaEnvelopeSchema } from '../contract/quota.js';
import {
  type Resource,
  type ResourceDeclaration,
  resourceListSchema,
  resourceSchema,
} from '../contract/resource.js';
import { apiKeys, createdApiKeySchema } from '../contract/resources/api-key.js';
import { type ConnectionInput, connections } from '../contract/resources/connection.js';
import { teams } from '../contract/resources/team.js';
import type { z } from '../contract/schema.js';
import { ServiceError, UsageError } from '../errors.js';
import { decode } from './decode.js';
import type { Transport } from './transport.js';

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

/** Typed calls of the service, for each resource alike. What the reference does not show of them is [ours]. */
export function createApi(transport: Transport) {
  const ofConnections = resourceApi(transport, connections, resourceSchema);
  return {
    transport,
    quotas: { read: () => readQuotaRecord(transport) },
    connections: { ...ofConnections, create: (input: ConnectionInput) => ofConnections.create(input) },
    apiKeys: resourceApi(transport, apiKeys, createdApiKeySchema),
    teams: resourceApi(transport, teams, resourceSchema),
  };
}

export type Api = ReturnType<typeof createApi>;

/** The calls of one resource, as `contract/operations.ts` has them; answers pass through untouched. */
function resourceApi<Created extends z.ZodMiniType>(
  transport: Transport,
  resource: ResourceDeclaration,
  created: Created,
) {
  const { list, create, get, update, delete: remove } = callsOf(resource);
  const send = ({ method }: Operation, target: string, body?: unknown, deadline?: number) => {
    const bytes = body === undefined ? undefined : Buffer.from(printJson(body));
    return transport.send({ method, target, body: bytes, contentType: jsonContentType, deadline });
  };
  return {
    /** One page: `limit` is the page size, pages count from 1. */
    async list(request: PageRequest = {}): Promise<Page> {
      const target = `${list.path}${queryOf(request)}`;
      const page = decode(await send(list, target, undefined, request.deadline), resourceListSchema);
      return Array.isArray(page) ? { data: page } : page;
    },
    create: async (body: unknown) => decode(await send(create, create.path, body), created),
    get: async (id: string) => decode(await send(get, pathOf(get, id)), resourceSchema),
    update: async (id: string, body: unknown) =>
      decode(await send(update, pathOf(update, id), body), resourceSchema),
    async delete(id: string): Promise<void> {
      await send(remove, pathOf(remove, id));
    },
  };
}

/** The organization's quota record, keyed by kind: `GET /quotas` (reference, section 4). */
export async function readQuotaRecord(transport: Transport): Promise<QuotaRecord> {
  const answer = await transport.send({ method: readQuotas.method, target: readQuotas.path });
  const [record] = decode(answer, quotaEnvelopeSchema).data;
  if (record !== undefined) return record;
  const { method, target } = answer.called;
  throw new ServiceError('server', `${method} ${target} was answered without a quota record`, {
    status: answer.status,
    method,
    path: target,
  });
}

/** @throws UsageError for an ID that is no path segment: `""` would address all of them, `..` something else */
function pathOf({ path }: Operation, id: string): string {
  if (/^\.{0,2}$/.test(id)) throw new UsageError(`${JSON.stringify(id)} is not an ID`);
  return path.replace('{id}', () => encodeURIComponent(id));
}

function queryOf({ limit, page }: PageRequest): string {
  const query = new URLSearchParams();
  if (limit !== undefined) query.set('limit', String(limit));
  if (page !== undefined) query.set('page', String(page));
  return query.size === 0 ? '' : `?${query}`;
}
