import { resourcesQuerySchema } from '../../api/control/control.js';
import { apiKeys } from '../../api/resources/api-key.js';
import { resources } from '../../api/resources/index.js';
import type { Store } from '../../storage/store.js';
import { jsonAnswer } from '../http/answer.js';
import { conforming } from '../http/json-body.js';
import { resourceRoutes } from '../routes/calls.js';
import { readPageQuery, runResourceCall, statusOf } from '../routes/resources.js';
import type { Control } from './control.js';
import type { ControlRoute } from './control-handler.js';

/** The service's calls for any organization (`itemCalls` in `api/control/calls.ts`). Keys have their own calls. */
export function itemRoutes({
  control,
  store,
}: {
  readonly control: Control;
  readonly store: Store;
}): ControlRoute[] {
  const kinds = resources.filter(({ kind }) => kind !== apiKeys.kind);
  return resourceRoutes(kinds).map(({ method, path, target }) => ({
    method,
    path,
    async target({ query, request, body, id }) {
      const { search = '', ...given } = conforming(resourcesQuerySchema, query);
      const { organization: organizationId } = { ...(await control.status()), ...given };
      // Refuses an unknown organization early: storage would report an exceeded quota of 0.
      await control.quotas.get(organizationId);
      const page = { ...readPageQuery(given), search: search === '' ? undefined : search };
      const call = { ...target, organizationId, id, page, body, headers: request.headers };
      return jsonAnswer(statusOf(call.name), await runResourceCall(call, store));
    },
  }));
}
