import { readQuotas } from '../api/operations.js';
import { type QuotaRecord, quotaEnvelopeSchema } from '../api/quota.js';
import { apiKeys, createdApiKeySchema } from '../api/resources/api-key.js';
import { connections } from '../api/resources/connection.js';
import { mapPlainResources } from '../api/resources/index.js';
import { isResource, type Resource, resourceSchema } from '../api/resources/resource.js';
import { ConfigError, ServiceError } from '../errors/errors.js';
import { decode } from './answers/decode.js';
import type { Page as PageOf } from './answers/page.js';
import { type CallOptions, resourceCalls } from './resource-calls.js';
import type { Transport } from './transport/transport.js';

export type { PageRequest } from './resource-calls.js';

/** One page of a list of resources of any kind. */
export type Page = PageOf<Resource>;

/**
 * Calls of the service, untyped: the command line sends what was typed and prints what came back. Programs use
 * `createClient`. What the reference does not show is [ours].
 */
export function createApi(transport: Transport) {
  const schemas = { item: resourceSchema, created: resourceSchema };
  const keys = resourceCalls(transport, apiKeys, { ...schemas, created: createdApiKeySchema });
  return {
    transport,
    quotas: { read: () => readQuotaRecord(transport) },
    connections: resourceCalls(transport, connections, schemas),
    ...mapPlainResources('property', (resource) => resourceCalls(transport, resource, schemas)),
    apiKeys: { ...keys, ...sparingSigningKey(keys, transport.keyId) },
  };
}

export type Api = ReturnType<typeof createApi>;

/** A call of an API key; `evenMine`: its user has confirmed that it may be the one that signs. */
export type KeyCallOptions = CallOptions & { readonly evenMine?: boolean };

type KeyCalls = Pick<ReturnType<typeof resourceCalls<Resource>>, 'update' | 'delete'>;

/** Calls that neither delete nor disable the key that signs, whatever the reason, unless that was confirmed. */
function sparingSigningKey(calls: KeyCalls, keyId: string) {
  const spare = (id: string, change: string, { evenMine }: KeyCallOptions) => {
    if (id !== keyId || evenMine) return;
    throw new ConfigError(`${keyId} is the key that signs this command, and is not ${change}d`);
  };
  return {
    async update(id: string, body: unknown, options: KeyCallOptions = {}): Promise<Resource> {
      if (isResource(body) && body['enabled'] === false) spare(id, 'disable', options);
      return calls.update(id, body, options);
    },
    async delete(id: string, options: KeyCallOptions = {}): Promise<void> {
      spare(id, 'delete', options);
      return calls.delete(id, options);
    },
  };
}

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
