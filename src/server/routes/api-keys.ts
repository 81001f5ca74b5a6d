import type { FastifyInstance } from 'fastify';
import { apiKeyInputSchema, apiKeyPatchSchema } from '../../contract/api-key.js';
import type { Store } from '../../storage/store.js';
import { notFound } from '../pipeline/http-error.js';
import { answerList } from './list.js';
import { bodyOf, identifierOf, type OneResource, organizationOf, required } from './resource-request.js';

/**
 * `/api-keys` (POST: reference, section 4) and `/api-keys/{id}` [ours]. The secret is in the answer to POST alone.
 * PATCH can disable a key, and not enable one: that is done in the management console (reference, section 3).
 */
export function apiKeyRoutes(app: FastifyInstance, store: Store): void {
  const { apiKeys } = store;
  app.get('/api-keys', (request) =>
    answerList(request, store, 'api-keys', (organizationId, page) => apiKeys.list(organizationId, page)),
  );
  app.post('/api-keys', async (request, reply) => {
    const { name } = bodyOf(request, () => apiKeyInputSchema);
    return reply.code(201).send(await apiKeys.create(organizationOf(request), { name }));
  });
  app.get<OneResource>('/api-keys/:id', async (request) =>
    required(await apiKeys.find(organizationOf(request), identifierOf(request))),
  );
  app.patch<OneResource>('/api-keys/:id', async (request) => {
    const patch = bodyOf(request, () => apiKeyPatchSchema);
    return required(await apiKeys.update(organizationOf(request), identifierOf(request), patch));
  });
  app.delete<OneResource>('/api-keys/:id', async (request, reply) => {
    if (!(await apiKeys.delete(organizationOf(request), identifierOf(request)))) throw notFound();
    return reply.code(204).send();
  });
}
