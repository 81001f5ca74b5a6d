import type { IncomingMessage } from 'node:http';
import { sessionSchema } from '../../api/control/control.js';
import { readPath } from '../../text/base-url.js';
import type { ControlDoor } from '../control/control-handler.js';
import { type Controllers, hasControlToken, readBearer, requireController } from '../control/guard.js';
import { HttpError, jsonAnswer, payloadTooLarge, refuseNotFound } from '../http/answer.js';
import { maxBodyBytes, parseJsonBody, readBody } from '../http/body.js';
import { defaultLimits } from '../http/limits.js';
import { listenSomewhere, toUrl } from '../http/listen.js';
import { type Handle, Listener } from '../http/listener.js';
import { ownPath } from '../http/url-space.js';
import type { Notify } from '../journal/log.js';
import { addSafeHeaders, requireVisitor } from './guard.js';
import { Sessions } from './sessions.js';

const host = '127.0.0.1';

interface ConsoleOptions {
  readonly port: number;
  readonly notify: Notify;
  readonly mountControl: (door: ControlDoor) => Handle | Promise<Handle>;
  /** For programs that use the control API here. */
  readonly controllers?: Controllers | undefined;
}

export type ManagementConsole = Awaited<ReturnType<typeof openConsoleListener>>;

/**
 * The page, its sessions and the control API on a port of their own; replaces a taken port with a free one.
 * @throws UsageError if it cannot listen
 */
export async function openConsoleListener(options: ConsoleOptions) {
  const { port, notify } = options;
  const sessions = new Sessions();
  let url = '';
  let app: Promise<Handle> | undefined;
  const listener = new Listener({
    ...{ clock: Date.now, notify, limits: defaultLimits, finish: addSafeHeaders },
    handle: (request, response) =>
      listener.answer(request, response, async () => {
        app ??= consoleApp(options, listener, sessions, url);
        return (await app)(request, response);
      }),
  });
  const bound = await listenSomewhere(listener.server, host, port);
  url = toUrl('http', host, bound);
  if (port !== 0 && bound !== port)
    notify('warning', `port ${port} on ${host} is in use; the management console is at ${url}`);
  return {
    url,
    /** For one browser, within a minute. */
    link: () => `${url}/#t=${sessions.newToken()}`,
    /** For one browser, as long as the console is open. */
    firstLink: () => `${url}/#t=${sessions.newToken(Number.POSITIVE_INFINITY)}`,
    close: () => listener.close(),
  };
}

/** Loaded at the first request. */
async function consoleApp(
  { mountControl, controllers }: ConsoleOptions,
  { connections }: Listener,
  sessions: Sessions,
  origin: string,
): Promise<Handle> {
  const { isPageTarget, pageAnswers } = await import('./page.js');
  const answerPage = pageAnswers();
  const authorize = (request: IncomingMessage) => {
    if (controllers !== undefined && hasControlToken(request, controllers)) return;
    if (!sessions.isOpen(readBearer(request))) throw refuseUnauthorized(noSession);
  };
  const control = await mountControl({ connections, authorize, isPage: true });
  return async (request, response) => {
    if (controllers !== undefined && hasControlToken(request, controllers))
      requireController(request, controllers);
    else requireVisitor(request, origin, isPageTarget);
    const path = readPath(request.url ?? '/');
    if (path === ownPath.control || path.startsWith(`${ownPath.control}/`)) return control(request, response);
    if (request.method === 'GET') return answerPage(path.slice(1));
    if (request.method !== 'POST' || path !== '/session') throw refuseNotFound();
    const body = await readBody(response, maxBodyBytes, connections.hold);
    if (body === 'too large') throw payloadTooLarge();
    const bearer = sessions.open(parseJsonBody(request.headers, body, () => sessionSchema).token);
    if (bearer === undefined) throw refuseUnauthorized(usedLink);
    return jsonAnswer(200, { bearer });
  };
}

const newLink = 'get a new link: orgctl local console';
const usedLink = `This link is wrong, expired, already used, or from an earlier run of the server; ${newLink}`;
const noSession = `Session not found; the server may have restarted; ${newLink}`;

function refuseUnauthorized(message: string): HttpError {
  return new HttpError(401, message, { headers: ['WWW-Authenticate', 'Bearer'] });
}
