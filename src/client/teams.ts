import { resourceSchema } from '../contract/resource.js';
import { resourceApi } from './resource-api.js';
import type { Transport } from './transport.js';

/** `/teams` [ours]: the reference names the kind, and shows neither paths nor fields. */
export function teamsApi(transport: Transport) {
  return resourceApi(transport, '/teams', resourceSchema);
}
