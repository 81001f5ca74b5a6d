import type { IncomingMessage } from 'node:http';
import { renewalSchema, sessionSchema } from '../../api/control/control.js';
import type { SessionAnswer } from '../../api/control/control-answers.js';
import { readPath } from '../../text/base-url.js';
import type { ControlDoor } from '../control/control-handler.js';
import { type Controllers, hasControlToken, requireController } from '../control/guard.js';
import type { StoredSessions } from '../data/stored-sessions.js';
import { jsonAnswer } from '../http/answer.js';
import type { Connections } from '../http/connections.js';
import { HttpError, payloadTooLarge, refuseNotFound } from '../http/http-error.js';
import { parseJsonBody } from '../http/json-body.js';
import type { Handle } from '../http/listener.js';
import { maxBodyBytes, readBody } from '../http/read-body.js';
import { type Route, RouteTable } from '../http/route-table.js';
import { ownPath } from '../http/url-space.js';
import type { WriteCommand } from '../options/server-options.js';
import { requireVisitor } from './guard.js';
import { isPageTarget, pageAnswers } from './page.js';
import type { Sessions } from './sessions.js';

export interface ConsoleAppOptions {
  readonly mountControl: (door: ControlDoor) => Handle | Promise<Handle>;
  /** Checks programs that use the control API here; absent if another listener serves them. */
  readonly controllers?: Controllers | undefined;
  readonly connections: Connections;
  readonly report: (error: unknown) => void;
  readonly sessions: Sessions;
  readonly stored: StoredSessions | undefined;
  readonly writeCommand: WriteCommand;
  readonly origin: string;
}

/** Answers the page, its sessions and the control API. */
export async function consoleApp(options: ConsoleAppOptions): Promise<Handle> {
  const { sessions, origin, stored, connections } = options;
  sessions.restore((await stored?.read()) ?? []);
  const answerPage = pageAnswers();
  const table = new RouteTable(sessionRoutes(options));
  const authorize = (request: IncomingMessage) => requireSession(request, options);
  const control = await options.mountControl({ connections, authorize, isOfPage: true });
  return async (request, response) => {
    if (isProgram(request, options)) requireController(request, options.controllers);
    else requireVisitor(request, origin, isPageTarget);
    const { method = '', url = '/' } = request;
    const path = readPath(url);
    if (path === ownPath.control || path.startsWith(`${ownPath.control}/`)) return control(request, response);
    const session = table.find(method, path);
    if (session === undefined) {
      if (method !== 'GET') throw refuseNotFound();
      if (path === '/') sessions.startLinkTimers();
      return answerPage(path.slice(1), request);
    }
    const body = await readBody(response, maxBodyBytes, connections.hold);
    if (body === 'too large') throw payloadTooLarge();
    return jsonAnswer(200, await session.target(request, body));
  };
}

type Answering = (request: IncomingMessage, body: Buffer) => unknown;

/**
 * `POST /session` exchanges a link's token, or a code, for a session; the page keeps the session while its tab is open.
 * `POST /session/renewal` accepts proof of a session from before a restart. `GET /session/renewal` identifies this run
 * of the server, and names the command that prints a new link.
 */
function sessionRoutes(options: ConsoleAppOptions): Route<Answering>[] {
  const { sessions, origin } = options;
  return [
    {
      method: 'POST',
      path: '/session',
      async target({ headers }, body): Promise<SessionAnswer> {
        const session = sessions.open(parseJsonBody(headers, body, () => sessionSchema).token);
        if (session === undefined) throw refuseUnauthorized(usedLink);
        await storeRenewals(options);
        return session;
      },
    },
    {
      method: 'GET',
      path: '/session/renewal',
      target: () => ({ start: sessions.start, newLink: writeNewLink(options) }),
    },
    {
      method: 'POST',
      path: '/session/renewal',
      target({ headers }, body) {
        const bearer = sessions.renew(parseJsonBody(headers, body, () => renewalSchema).proof, origin);
        if (bearer === undefined) throw refuseUnauthorized(explainNoSession(options));
        return { bearer };
      },
    },
  ];
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
  return new HttpError(401, message, { headers: ['WWW-Authenticate', 'Bearer'] });
}
