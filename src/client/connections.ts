import type { ConnectionInput } from '../contract/connection.js';
import { resourceSchema } from '../contract/resource.js';
import { resourceApi } from './resource-api.js';
import type { Transport } from './transport.js';

/** `/connections`: list and creation are the reference's (section 4), the rest is ours. */
export function connectionsApi(transport: Transport) {
  const api = resourceApi(transport, '/connections', resourceSchema);
  return { ...api, create: (input: ConnectionInput) => api.create(input) };
}
