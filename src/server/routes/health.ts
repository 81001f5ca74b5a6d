import type { FastifyInstance } from 'fastify';
import type { Store } from '../../storage/store.js';
import { ownPath } from '../http/url-space.js';

/**
 * `GET /healthz` [ours], the liveness probe: 200 if the process answers at all. `GET /healthz/ready` is the readiness
 * probe: 503 while data cannot be read and written, which the embedded database tests at most once a second. They are
 * outside the API and need no credentials; other methods are ordinary requests to the service.
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
