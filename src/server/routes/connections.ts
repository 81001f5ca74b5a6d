import { type ConnectionPatch, connectionInputSchema, shownConfig } from '../../api/resources/connection.js';
import type { StoredConnection, StoredConnections } from '../../storage/connections.js';
import { badRequest } from '../http/http-error.js';
import { conforming } from '../http/json-body.js';
import { findExceededLimit } from '../http/json-limits.js';
import type { Asker, PageAnswer } from './resource-handler.js';

/** Leaves passwords and possible secrets out of responses, and merges a PATCH into `config`. */
export function connectionHandling(connections: StoredConnections) {
  return {
    async list({ page, frame, organizationId }: PageAnswer): Promise<unknown> {
      return frame((await connections.list(organizationId, page)).map(showConnection));
    },
    async find({ organizationId }: Asker, id: string): Promise<unknown> {
      const connection = await connections.find(organizationId, id);
      return connection && showConnection(connection);
    },
    shown: showConnection,
    patched: patchConnection,
  };
}

function showConnection(connection: StoredConnection): StoredConnection {
  return { ...connection, config: shownConfig(connection.config) };
}

/** Keeps fields of `config` that the patch omits, above all the password. @throws HttpError 400 if the result is invalid */
function patchConnection(connection: StoredConnection, patch: ConnectionPatch): StoredConnection {
  // The stored type and config have been checked.
  if (patch.type === undefined && patch.config === undefined) return { ...connection, ...patch };
  const { name, type } = connection;
  const config =
    patch.config === undefined ? connection.config : mergeConfig(connection.config, patch.config);
  const next = { name, type, ...patch, config };
  conforming(connectionInputSchema(next), next);
  return { ...connection, ...next };
}

function mergeConfig(
  config: StoredConnection['config'],
  patch: StoredConnection['config'],
): StoredConnection['config'] {
  const whole = { ...config, ...patch };
  const exceeded = findExceededLimit(whole);
  if (exceeded !== undefined) throw badRequest(`config: ${exceeded}`);
  return whole;
}
