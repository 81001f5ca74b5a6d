import { createdApiKeySchema } from '../contract/api-key.js';
import { resourceApi } from './resource-api.js';
import type { Transport } from './transport.js';

/** `/api-keys`: creation is the reference's (section 4), the rest is ours. Only creation's answer has the secret. */
export function apiKeysApi(transport: Transport) {
  return resourceApi(transport, '/api-keys', createdApiKeySchema);
}
