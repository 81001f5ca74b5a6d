import { readQuotas } from '../contract/operations.js';
import { type QuotaRecord, quotaEnvelopeSchema } from '../contract/quota.js';
import { type Resource, resourceSchema } from '../contract/resource.js';
import { apiKeys, createdApiKeySchema } from '../contract/resources/api-key.js';
import { connections } from '../contract/resources/connection.js';
import { teams } from '../contract/resources/team.js';
import { ServiceError } from '../errors.js';
import { decode } from './decode.js';
import type { Page as PageOf } from './page.js';
import { type CallOptions, resourceCalls } from './resource-calls.js';
import type { Transport } from './transport.js';

export type { PageRequest } from './resource-calls.js';

/** One page of a list of resources of any kind. */
export type Page = PageOf<Resource>;

/**
 * Calls of the service, untyped: the command line sends what was typed and prints what came back. Programs use
 * `createClient`. What the reference does not show is [ours].
 */
export function createApi(transport: Transport) {
  const schemas = { item: resourceSchema, created: resourceSchema };
  return {
    transport,
    quotas: { read: () => readQuotaRecord(transport) },
    connections: resourceCalls(transport, connections, schemas),
    apiKeys: resourceCalls(transport, apiKeys, { ...schemas, created: createdApiKeySchema }),
    teams: resourceCalls(transport, teams, schemas),
  };
}

export type Api = ReturnType<typeof createApi>;

/** The organization's quota record, keyed by kind: `GET /quotas` (reference, section 4). */
export async function readQuotaRecord(transport: Transport, options: CallOptions = {}): Promise<QuotaRecord> {
  const { signal, deadline } = options;
  const answer = await transport.send({
    method: readQuotas.method,
    target: readQuotas.path,
    signal,
    deadline,
  });
  const [record] = decode(answer, quotaEnvelopeSchema).data;
  if (record !== undefined) return record;
  const { method, target } = answer.called;
  throw new ServiceError('server', `${method} ${target} was answered without a quota record`, {
    status: answer.status,
    method,
    path: target,
  });
}
