import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { sessionSchema } from '../../api/control/control.js';
import { type ControlApiOptions, controlApi } from '../control/routes.js';
import { type BareAppOptions, bareApp } from '../http/bare-app.js';
import type { ByteBudget } from '../http/byte-budget.js';
import { HttpError, refuseNotFound } from '../http/http-error.js';
import { takeBodies } from '../http/receive-body.js';
import { ownPath } from '../http/url-space.js';
import { readBody } from '../routes/resource-request.js';
import { requireVisitor } from './guard.js';
import { isPageTarget, pageRoutes } from './page.js';
import type { Sessions } from './sessions.js';

export interface ConsoleAppOptions extends BareAppOptions, Omit<ControlApiOptions, 'authorize'> {
  readonly sessions: Sessions;
  readonly origin: string;
}

export async function consoleApp(options: ConsoleAppOptions): Promise<FastifyInstance> {
  const { sessions, origin } = options;
  const app = bareApp(options);
  app.addHook('onSend', safeHeaders);
  app.addHook('onRequest', async ({ raw }) => requireVisitor(raw, origin, isPageTarget));
  app.setNotFoundHandler(() => {
    throw refuseNotFound();
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

const freshLink = 'for a fresh link: orgctl local console';

/** `POST /session`: exchanges a link's token, or a code, for a bearer, which the page keeps while its tab is open. */
function sessionRoute(app: FastifyInstance, sessions: Sessions, held: ByteBudget): void {
  takeBodies(app, held);
  app.post('/session', async (request) => {
    const bearer = sessions.open(readBody(request, () => sessionSchema).token);
    if (bearer !== undefined) return { bearer };
    throw refuseUnauthorized(
      `This link or code is wrong, was used before, is older than a minute, or is from another start of the server; ${freshLink}`,
    );
  });
}

function requireSession({ headers }: IncomingMessage, sessions: Sessions): void {
  const given = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  if (sessions.isOpen(given)) return;
  throw refuseUnauthorized(`There is no such session; the server may have been started again; ${freshLink}`);
}

function refuseUnauthorized(message: string): HttpError {
  return new HttpError(401, message, { headers: { 'www-authenticate': 'Bearer' } });
}

const policy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

/** Nothing foreign runs in the page, and no other site can frame or read it. */
const consoleHeaders = {
  'content-security-policy': policy.join('; '),
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
};

const safeHeaders: onSendHookHandler = (_request, reply, _payload, done) => {
  reply.headers(consoleHeaders);
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'no-store');
  done();
};
