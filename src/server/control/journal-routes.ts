import type { FastifyInstance } from 'fastify';
import { journalQuerySchema } from '../../contract/control.js';
import { conforming } from '../routes/json-body.js';
import type { Control } from './control.js';

/** What the server tells of requests, but for the stream of them. */
export function journalRoutes(app: FastifyInstance, { journal }: Control): void {
  app.get('/journal', async ({ query }) => {
    const { count = false, ...wanted } = conforming(journalQuerySchema, query);
    return count ? { count: journal.count(wanted) } : { entries: journal.get(wanted) };
  });
  app.delete('/journal', async (_request, reply) => {
    journal.clear();
    return reply.code(204).send();
  });
}
