import type { FastifyInstance } from 'fastify';
import type { Store } from '../../storage/store.js';
import { ownPath } from '../pipeline/url-space.js';

/**
 * `GET /healthz` [ours], for whoever watches over the process: that it answers, and nothing about the service; one that
 * does not is to be started anew. `GET /healthz/ready` is for whoever sends requests to it: 503 as long as its data cannot
 * be read and written, which the embedded database tries at most once a second. They are outside the API, so they ask for no credentials; other methods are requests to the
 * service like any other.
 */
export function healthRoutes(app: FastifyInstance, store: Store): void {
  let checking: Promise<void> | undefined;
  app.get(ownPath.health, () => ({ status: 'ok' }));
  app.get(`${ownPath.health}/ready`, async () => {
    // One probe at a time, however many ask: no credential is needed.
    checking ??= store.requireReady().finally(() => {
      checking = undefined;
    });
    await checking;
    return { status: 'ok' };
  });
}
