import type { FastifyInstance } from 'fastify';

/**
 * `GET /healthz` [ours], for whoever watches over the process: that it answers, and nothing about the service. It is
 * outside the API, so it asks for no credentials; other methods are requests to the service like any other.
 */
export function healthRoute(app: FastifyInstance): void {
  app.get('/healthz', () => ({ status: 'ok' }));
}
