import type { FastifyInstance } from 'fastify';
import type { Store } from '../../storage/store.js';
import { ownPath } from '../http/url-space.js';

/** Liveness, and readiness: 503 while data cannot be read or written. */
export function healthRoutes(app: FastifyInstance, store: Store): void {
  let checking: Promise<void> | undefined;
  app.get(ownPath.health, () => ({ status: 'ok' }));
  app.get(`${ownPath.health}/ready`, async () => {
    // One check at a time, because requests for it need no credential.
    checking ??= store.requireReady().finally(() => {
      checking = undefined;
    });
    await checking;
    return { status: 'ok' };
  });
}
