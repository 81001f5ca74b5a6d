import type { FastifyInstance, FastifyRequest } from 'fastify';
import { resourcesQuerySchema } from '../../api/control/control.js';
import { apiKeys } from '../../api/resources/api-key.js';
import { resources } from '../../api/resources/index.js';
import { conforming } from '../http/json-body.js';
import type { ResourceRouteOptions } from '../routes/resource-handler.js';
import { parsePageQuery, readBody } from '../routes/resource-request.js';
import { resourceRoutes } from '../routes/resources.js';
import type { Control } from './control.js';

declare module 'fastify' {
  interface FastifyRequest {
    organization: string | null;
  }
}

/** The service's calls for any organization (`itemCalls` in `api/control/calls.ts`). Keys have their own calls. */
export function controlledResourceRoutes(
  app: FastifyInstance,
  options: ResourceRouteOptions & { readonly control: Control },
): void {
  const { control } = options;
  app.decorateRequest('organization', null);
  app.addHook('preHandler', async (request) => {
    const asked = conforming(resourcesQuerySchema, request.query);
    const { organization } = { ...(await control.status()), ...asked };
    // Refuses an unknown organization early: storage would report an exceeded quota of 0.
    await control.quotas.get(organization);
    request.organization = organization;
  });
  resourceRoutes(app, options, {
    resources: resources.filter(({ kind }) => kind !== apiKeys.kind),
    organizationOf: findListedOrganization,
    bodyOf: readBody,
    pageOf({ query }) {
      const { search = '', ...page } = conforming(resourcesQuerySchema, query);
      return { ...parsePageQuery(page), search: search === '' ? undefined : search };
    },
  });
}

function findListedOrganization({ organization }: FastifyRequest): string {
  if (organization === null) throw new Error('a route was reached without an organization');
  return organization;
}
