import type { FastifyInstance } from 'fastify';
import { type ControlApiOptions, controlApi } from '../control/routes.js';
import { unreadableExchange } from '../journal/recorder.js';
import { answerBrokenRequest } from '../listening/broken-request.js';
import { healthRoutes } from '../routes/health.js';
import { type BareAppOptions, bareApp } from './bare-app.js';
import { type ServiceOptions, service } from './service.js';
import { ownPath } from './url-space.js';

export interface AppOptions extends ServiceOptions, ControlApiOptions, Omit<BareAppOptions, 'onBroken'> {}

/**
 * Puts the whole server together, without listening. A request passes the hooks of `bareApp`, then those of its scope (the
 * service, or the control API) and its route; every error ends in the one error handler.
 */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { clock, recorder } = options;
  const app = bareApp({
    ...options,
    onBroken: (error, socket) =>
      answerBrokenRequest(error, socket, (refusal) =>
        recorder.record(unreadableExchange(refusal.statusCode, clock()), refusal),
      ),
  });
  healthRoutes(app, options.store);
  app.register((scope, _options, done) => {
    service(scope, options);
    done();
  });
  const control = (scope: FastifyInstance, _options: object, done: () => void) => {
    controlApi(scope, options);
    done();
  };
  app.register(control, { prefix: ownPath.control });
  await app.ready();
  return app;
}
