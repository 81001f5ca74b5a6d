import type { FastifyInstance } from 'fastify';
import type { Store } from '../../storage/store.js';
import { ownPath } from '../http/url-space.js';

/**
 * `GET /healthz` is the liveness probe; `GET /healthz/ready` is 503 while data cannot be read and written, tested at
 * most once a second. Neither needs credentials; other methods go to the service.
 */
export function healthRoutes(app: FastifyInstance, store: Store): void {
  let checking: Promise<void> | undefined;
  app.get(ownPath.health, () => ({ status: 'ok' }));
  app.get(`${ownPath.health}/ready`, async () => {
    // One probe at a time, because it needs no credential.
    checking ??= store.requireReady().finally(() => {
      checking = undefined;
    });
    await checking;
    return { status: 'ok' };
  });
}
