import type { FastifyInstance } from 'fastify';
import { envelope, pageSize } from '../../contract/envelope.js';
import type { Store } from '../../storage/store.js';
import { organizationOf } from './resource-request.js';

/** `GET /quotas`: an envelope whose `data` holds the organization's one quota record (reference, section 4). */
export function quotaRoutes(app: FastifyInstance, { quotas }: Store): void {
  app.get('/quotas', async (request) => {
    const record = await quotas.of(organizationOf(request));
    return envelope([record], { total: 1, page: 1, limit: pageSize.default });
  });
}
