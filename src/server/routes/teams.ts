import type { FastifyInstance } from 'fastify';
import { teamInputSchema, teamPatchSchema } from '../../contract/team.js';
import type { Store } from '../../storage/store.js';
import { notFound } from '../pipeline/http-error.js';
import { answerList } from './list.js';
import { bodyOf, identifierOf, type OneResource, organizationOf, required } from './resource-request.js';

/** `/teams` and `/teams/{id}` [ours]: the reference names the resource and shows no path of it but its quota. */
export function teamRoutes(app: FastifyInstance, store: Store): void {
  const { teams } = store;
  app.get('/teams', (request) =>
    answerList(request, store, 'teams', (organizationId, page) => teams.list(organizationId, page)),
  );
  app.post('/teams', async (request, reply) => {
    const input = bodyOf(request, () => teamInputSchema);
    return reply.code(201).send(await teams.create(organizationOf(request), input));
  });
  app.get<OneResource>('/teams/:id', async (request) =>
    required(await teams.find(organizationOf(request), identifierOf(request))),
  );
  app.patch<OneResource>('/teams/:id', async (request) => {
    const patch = bodyOf(request, () => teamPatchSchema);
    return required(await teams.update(organizationOf(request), identifierOf(request), patch));
  });
  app.delete<OneResource>('/teams/:id', async (request, reply) => {
    if (!(await teams.delete(organizationOf(request), identifierOf(request)))) throw notFound();
    return reply.code(204).send();
  });
}
