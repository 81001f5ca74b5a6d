import type { IncomingMessage } from 'node:http';
import type { FastifyInstance, onSendHookHandler } from 'fastify';
import { renewalSchema, sessionSchema } from '../../api/control/control.js';
import type { SessionAnswer } from '../../api/control/control-answers.js';
import { type Controllers, hasControlToken, requireController } from '../control/guard.js';
import type { StoredSessions } from '../data/stored-sessions.js';
import type { WriteCommand } from '../explain/command-writer.js';
import { type BareAppOptions, bareApp } from '../http/bare-app.js';
import type { ByteBudget } from '../http/byte-budget.js';
import { HttpError, refuseNotFound } from '../http/http-error.js';
import { takeBodies } from '../http/receive-body.js';
import { ownPath } from '../http/url-space.js';
import { readBody } from '../routes/resource-request.js';
import { requireVisitor } from './guard.js';
import { isPageTarget, pageRoutes } from './page.js';
import type { Sessions } from './sessions.js';

export interface ControlDoor {
  readonly held: ByteBudget;
  readonly ended: AbortSignal;
  readonly authorize: (request: IncomingMessage) => void;
  /** For the console's page, which must not get secrets of existing keys. */
  readonly isOfPage: true;
}

export interface ConsoleAppOptions extends BareAppOptions, Omit<ControlDoor, 'authorize' | 'isOfPage'> {
  readonly mountControl: (scope: FastifyInstance, door: ControlDoor) => void | Promise<void>;
  /** Checks programs that use the control API here; absent if another listener serves them. */
  readonly controllers?: Controllers | undefined;
  readonly sessions: Sessions;
  readonly stored: StoredSessions | undefined;
  readonly writeCommand: WriteCommand;
  readonly origin: string;
}

export async function consoleApp(options: ConsoleAppOptions): Promise<FastifyInstance> {
  const { sessions, origin, stored } = options;
  sessions.restore((await stored?.read()) ?? []);
  const app = bareApp(options);
  app.addHook('onSend', safeHeaders);
  app.addHook('onRequest', async ({ raw }) => {
    if (isProgram(raw, options)) requireController(raw, options.controllers);
    else requireVisitor(raw, origin, isPageTarget);
  });
  app.setNotFoundHandler(() => {
    throw refuseNotFound();
  });
  pageRoutes(app, () => sessions.startLinkTimers());
  app.register((scope, _options, done) => {
    sessionRoutes(scope, options);
    done();
  });
  const authorize = (request: IncomingMessage) => requireSession(request, options);
  const control = async (scope: FastifyInstance) =>
    options.mountControl(scope, { held: options.held, ended: options.ended, authorize, isOfPage: true });
  app.register(control, { prefix: ownPath.control });
  await app.ready();
  return app;
}

/**
 * `POST /session` exchanges a link's token, or a code, for a session; the page keeps the session while its tab is open.
 * `POST /session/renewal` accepts proof of a session from before a restart. `GET /session/renewal` identifies this run
 * of the server, and names the command that prints a new link.
 */
function sessionRoutes(app: FastifyInstance, options: ConsoleAppOptions): void {
  const { sessions, origin } = options;
  takeBodies(app, options.held);
  app.post('/session', async (request): Promise<SessionAnswer> => {
    const session = sessions.open(readBody(request, () => sessionSchema).token);
    if (session === undefined) throw refuseUnauthorized(usedLink);
    await storeRenewals(options);
    return session;
  });
  app.get('/session/renewal', () => ({ start: sessions.start, newLink: writeNewLink(options) }));
  app.post('/session/renewal', async (request) => {
    const bearer = sessions.renew(readBody(request, () => renewalSchema).proof, origin);
    if (bearer === undefined) throw refuseUnauthorized(explainNoSession(options));
    return { bearer };
  });
}

/** A session that cannot be stored ends when the server stops. */
async function storeRenewals({ stored, sessions, report }: ConsoleAppOptions): Promise<void> {
  await stored?.write(sessions.renewals()).catch(report);
}

const usedLink = 'This link or code is wrong, expired, already used, or from an earlier run of the server.';

type Programs = { readonly controllers: Controllers };

/** Whether a request has the control token, which no browser has. */
function isProgram(
  request: IncomingMessage,
  options: ConsoleAppOptions,
): options is ConsoleAppOptions & Programs {
  return options.controllers !== undefined && hasControlToken(request, options.controllers);
}

function requireSession(request: IncomingMessage, options: ConsoleAppOptions): void {
  if (isProgram(request, options)) return;
  const { headers } = request;
  const given = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  if (!options.sessions.isOpen(given)) throw refuseUnauthorized(explainNoSession(options));
}

function writeNewLink({ writeCommand }: Pick<ConsoleAppOptions, 'writeCommand'>): string {
  return writeCommand(['local', 'console']);
}

function explainNoSession(options: ConsoleAppOptions): string {
  return `Session not found; the server may have restarted. Get a fresh link: ${writeNewLink(options)}`;
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

/** The page runs only its own code, and no other site can frame or read it. */
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
