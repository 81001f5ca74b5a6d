import { apiKeys } from '../api/resources/api-key.js';
import { connections } from '../api/resources/connection.js';
import { byResource } from '../api/resources/index.js';
import { isResource, type Resource } from '../api/resources/resource.js';
import { toOperands } from '../errors/advice.js';
import { ConfigError, ServiceError } from '../errors/errors.js';
import { lacksQuotas, readQuotaAnswer } from './quota-record.js';
import type { CallOptions } from './reading/page.js';
import type { KeyWithBoth } from './reading/read-created-key.js';
import { resourceCalls } from './resource-calls.js';
import type { Transport } from './transport/transport.js';

/** Untyped calls for the command line, which sends and prints data as is. Programs use `createClient`. */
export function createApi(transport: Transport) {
  const keys = resourceCalls<Resource, KeyWithBoth>(transport, apiKeys);
  return {
    transport,
    checkCredential: () => checkCredential(transport),
    quotas: { readAnswer: () => readQuotaAnswer(transport) },
    ...byResource('property', (resource) => resourceCalls(transport, resource)),
    apiKeys: { ...keys, ...sparingSigningKey(keys, transport.keyId) },
  };
}

/** A call that the service accepted. */
export interface Accepted {
  readonly call: 'quotas' | 'connections';
  /** The error for quotas in no known form. */
  readonly unread?: ServiceError | undefined;
}

/**
 * Checks the credential with a signed read: of the quotas or, where the service has none, of connections.
 * @throws the errors of that read
 */
async function checkCredential(transport: Transport): Promise<Accepted> {
  try {
    return { call: 'quotas', unread: (await readQuotaAnswer(transport)).misfit };
  } catch (error) {
    if (!lacksQuotas(error)) throw error;
    const { list } = resourceCalls(transport, connections);
    await list().catch((other: unknown) => {
      // Without either call, the address is probably wrong.
      throw lacksQuotas(other) ? error : other;
    });
    return { call: 'connections' };
  }
}

export type Api = ReturnType<typeof createApi>;

/** `evenMine`: the user confirmed that the key may be the signing one. */
type KeyCallOptions = CallOptions & { readonly evenMine?: boolean };

/** Refuses to disable or delete the signing key unless `evenMine` is set. Checks that a key was really disabled. */
function sparingSigningKey(calls: ReturnType<typeof resourceCalls<Resource>>, keyId: string) {
  const spare = (id: string, change: string, { evenMine }: KeyCallOptions) => {
    if (id !== keyId || evenMine) return;
    throw new ConfigError(`${keyId} signs this command, and was not ${change}d`);
  };
  return {
    async update(id: string, body: unknown, options: KeyCallOptions = {}): Promise<Resource> {
      if (!isResource(body) || body['enabled'] !== false) return calls.update(id, body, options);
      spare(id, 'disable', options);
      const changed = await calls.update(id, body, options);
      if (changed['enabled'] === false) return changed;
      const doubt = 'the service does not say that it is disabled';
      throw new ServiceError('server', `API key ${id} may still be enabled: ${doubt}`, {
        retryable: false,
        hint: 'check the key',
        next: ['orgctl', apiKeys.kind, 'get', ...toOperands(id)],
      });
    },
    async delete(id: string, options: KeyCallOptions = {}): Promise<void> {
      spare(id, 'delete', options);
      return calls.delete(id, options);
    },
  };
}
