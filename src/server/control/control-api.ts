import { resourcesQuerySchema } from '../../api/control/control.js';
import { apiKeys } from '../../api/resources/api-key.js';
import { resources } from '../../api/resources/index.js';
import { jsonAnswer, refuseNotFound } from '../http/answer.js';
import { conforming } from '../http/body.js';
import type { Connections } from '../http/connections.js';
import type { Handle } from '../http/listener.js';
import { resourceRoutes } from '../routes/calls.js';
import { readPageQuery, runResourceCall, statusOf } from '../routes/resources.js';
import { calls } from './calls.js';
import { type ControlRoute, callRoutes, controlHandler } from './control-handler.js';
import { type Controlled, requireOrganization } from './controlled.js';

/** All calls, the journal's stream and every organization's resources (docs/reference/control-api.md). */
export function controlApi(place: Controlled, connections: Connections): Handle {
  const routes = [...callRoutes(calls, place), ...itemRoutes(place)];
  return controlHandler(routes, place.journal, connections, refuseNotFound);
}

/** The service's calls for any organization's resources except keys. */
function itemRoutes({ service: { store, organization: first } }: Controlled): ControlRoute[] {
  const kinds = resources.filter(({ kind }) => kind !== apiKeys.kind);
  return resourceRoutes(kinds).map(({ method, path, target }) => ({
    method,
    path,
    async target({ query, request: { headers }, body, id }) {
      const { search = '', organization = first, ...page } = conforming(resourcesQuerySchema, query);
      await requireOrganization(store, organization);
      const wanted = { ...readPageQuery(page), search: search === '' ? undefined : search };
      const call = { ...target, organizationId: organization, id, page: wanted, body, headers };
      return jsonAnswer(statusOf(call.name), await runResourceCall(call, store));
    },
  }));
}
