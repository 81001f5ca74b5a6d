import { apiKeysApi } from './api-keys.js';
import { connectionsApi } from './connections.js';
import { quotasApi } from './quotas.js';
import { teamsApi } from './teams.js';
import type { Transport } from './transport.js';

/** Typed calls of the service, one room per resource. */
export function createApi(transport: Transport) {
  return {
    transport,
    quotas: quotasApi(transport),
    connections: connectionsApi(transport),
    apiKeys: apiKeysApi(transport),
    teams: teamsApi(transport),
  };
}

export type Api = ReturnType<typeof createApi>;
