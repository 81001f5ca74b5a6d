import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type ControlApiOptions, controlApi } from '../control/routes.js';
import { type BareAppOptions, bareApp } from '../pipeline/bare-app.js';
import { notFound } from '../pipeline/http-error.js';
import { ownPath } from '../pipeline/url-space.js';
import { requireVisitor } from './guard.js';
import { safeHeaders } from './headers.js';
import { isPageTarget, pageRoutes } from './page.js';
import { requireSession, sessionRoute } from './session-route.js';
import type { Sessions } from './sessions.js';

export interface ConsoleAppOptions extends BareAppOptions, Omit<ControlApiOptions, 'authorize'> {
  readonly sessions: Sessions;
  /** Where it answers, such as `http://127.0.0.1:8444`. */
  readonly origin: string;
}

/** The console, without its listener: the page, its sessions, and the control API for who has one. */
export async function consoleApp(options: ConsoleAppOptions): Promise<FastifyInstance> {
  const { sessions, origin } = options;
  const app = bareApp(options);
  app.addHook('onSend', safeHeaders);
  app.addHook('onRequest', async ({ raw }) => requireVisitor(raw, origin, isPageTarget));
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  pageRoutes(app, () => sessions.visited());
  app.register((scope, _options, done) => {
    sessionRoute(scope, sessions, options.held);
    done();
  });
  const authorize = (request: IncomingMessage) => requireSession(request, sessions);
  const control = (scope: FastifyInstance, _options: object, done: () => void) => {
    controlApi(scope, { ...options, authorize });
    done();
  };
  app.register(control, { prefix: ownPath.control });
  await app.ready();
  return app;
}
