import type { FastifyInstance } from 'fastify';
import { advanceSchema, clockSchema, faultsSchema, rateLimitSchema } from '../../contract/control.js';
import { bodyOf } from '../routes/resource-request.js';
import type { Control } from './control.js';
import { readable } from './readable.js';

/** What a test can set on a running server: clock, faults and rate limit. */
export function labRoutes(app: FastifyInstance, { clock, faults, rateLimit }: Control): void {
  app.get('/clock', async () => clock.get());
  app.put('/clock', async (request) => clock.set(bodyOf(request, () => clockSchema).time));
  app.post('/clock/advance', async (request) => clock.advance(bodyOf(request, () => advanceSchema).by));
  app.get('/faults', async () => ({ faults: faults.get() }));
  app.put('/faults', async (request) => {
    const { rules } = bodyOf(request, () => faultsSchema);
    return { faults: await readable(async () => faults.set(rules)) };
  });
  app.delete('/faults', async (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
  app.get('/rate-limit', async () => ({ rateLimit: rateLimit.get() ?? null }));
  app.put('/rate-limit', async (request) => ({
    rateLimit: rateLimit.set(bodyOf(request, () => rateLimitSchema)),
  }));
  app.delete('/rate-limit', async (_request, reply) => {
    rateLimit.clear();
    return reply.code(204).send();
  });
}
