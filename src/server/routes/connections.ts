import { type ConnectionPatch, connectionInputSchema, shownConfig } from '../../api/resources/connection.js';
import type { StoredResource } from '../../storage/resources.js';
import { badRequest } from '../http/http-error.js';
import { conforming } from '../http/json-body.js';
import { findExceededLimit } from '../http/json-limits.js';

interface StoredConnection extends StoredResource {
  readonly type: string;
  readonly config: Readonly<Record<string, unknown>>;
}

/** Leaves out passwords and possible secrets. */
export function showConnection(connection: StoredConnection): StoredConnection {
  return { ...connection, config: shownConfig(connection.config) };
}

/** Keeps fields of `config` that the patch omits, above all the password. @throws HttpError 400 if the result is invalid */
export function patchConnection(connection: StoredConnection, patch: ConnectionPatch): StoredConnection {
  // The stored type and config have been checked.
  if (patch.type === undefined && patch.config === undefined) return { ...connection, ...patch };
  const { name, type } = connection;
  const config = { ...connection.config, ...patch.config };
  const exceeded = findExceededLimit(config);
  if (exceeded !== undefined) throw badRequest(`config: ${exceeded}`);
  const next = { name, type, ...patch, config };
  conforming(connectionInputSchema(next), next);
  return { ...connection, ...next };
}
