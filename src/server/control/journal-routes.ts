import type { FastifyInstance } from 'fastify';
import { journalQuerySchema, signatureCheckSchema } from '../../contract/control.js';
import { conforming } from '../routes/json-body.js';
import { bodyOf } from '../routes/resource-request.js';
import type { Control } from './control.js';

/** What the server tells of requests, but for the stream of them, and of signatures. */
export function journalRoutes(app: FastifyInstance, { journal, signatures }: Control): void {
  app.get('/journal', async ({ query }) => {
    const { count = false, ...wanted } = conforming(journalQuerySchema, query);
    return count ? { count: journal.count(wanted) } : { entries: journal.get(wanted) };
  });
  app.get<{ Params: { id: string } }>('/journal/:id', async ({ params: { id } }) =>
    journal.find(/^\d{1,15}$/.test(id) ? Number(id) : 0),
  );
  app.post('/signatures/check', async (request) =>
    signatures.check(bodyOf(request, () => signatureCheckSchema)),
  );
  app.delete('/journal', async (_request, reply) => {
    journal.clear();
    return reply.code(204).send();
  });
}
