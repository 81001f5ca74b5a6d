import type { IncomingMessage } from 'node:http';
import { extname } from 'node:path';
import { controlCalls, controlPath } from '../../api/control/calls.js';
import { sessionSchema } from '../../api/control/control.js';
import { readPath } from '../../text/base-url.js';
import {
  type Controllers,
  forbidden,
  hasControlToken,
  readBearer,
  requireController,
  requireLocal,
} from '../control/guard.js';
import { type Answer, HttpError, jsonAnswer, payloadTooLarge, refuseNotFound } from '../http/answer.js';
import { maxBodyBytes, parseJsonBody, readBody } from '../http/body.js';
import type { Connections } from '../http/connections.js';
import type { Handle } from '../http/listener.js';
import { readPageFiles } from './page-files.js';

interface Sessions {
  open(token: string): string | undefined;
  isOpen(bearer: string): boolean;
}

export interface ConsoleParts {
  readonly mountControl: (connections: Connections) => Handle | Promise<Handle>;
  /** Lets programs use the control API on this port. */
  readonly controllers?: Controllers | undefined;
}

/** Serves the page and the control API, and opens sessions. @param origin such as `http://127.0.0.1:8444` */
export async function consoleApp(
  { mountControl, controllers }: ConsoleParts,
  connections: Connections,
  sessions: Sessions,
  origin: string,
): Promise<Handle> {
  const isController = (request: IncomingMessage) =>
    controllers !== undefined && hasControlToken(request, controllers);
  const control = await mountControl(connections);
  return async (request, response) => {
    if (controllers !== undefined && isController(request)) requireController(request, controllers);
    else requireVisitor(request, origin);
    const path = readPath(request.url ?? '/');
    if (path === controlPath || path.startsWith(`${controlPath}/`)) {
      if (!isController(request)) {
        if (!sessions.isOpen(readBearer(request))) throw refuseUnauthorized(noSession);
        if (path === firstKeyPath) throw forbidden('the console never reads the secret of an existing key');
      }
      return control(request, response);
    }
    if (request.method === 'GET') return answerPage(path.slice(1));
    if (request.method !== 'POST' || path !== '/session') throw refuseNotFound();
    const body = await readBody(response, maxBodyBytes, connections.hold);
    if (body === 'too large') throw payloadTooLarge();
    const bearer = sessions.open(parseJsonBody(request.headers, body, () => sessionSchema).token);
    if (bearer === undefined) throw refuseUnauthorized(usedLink);
    return jsonAnswer(200, { bearer });
  };
}

const firstKeyPath = `${controlPath}${controlCalls['keys.first'].path}`;

const newLink = 'get a new link: orgctl local console';
const usedLink = `This link is wrong, expired, already used, or from an earlier run of the server; ${newLink}`;
const noSession = `Session not found; the server may have restarted; ${newLink}`;

function refuseUnauthorized(message: string): HttpError {
  return new HttpError(401, message, { headers: ['WWW-Authenticate', 'Bearer'] });
}

const what = 'this is the management console;';

/**
 * Admits the console's page, and users who open its address. `Host` must match exactly, to prevent DNS rebinding.
 * Without `Sec-Fetch-Site`, only the page's files can be read: they hold no secrets, and let programs check that the
 * console is up.
 * @throws HttpError 403
 */
export function requireVisitor(request: IncomingMessage, origin: string): void {
  const { headers, method, url = '' } = request;
  requireLocal(request, `${what} it`);
  if (headers.host !== new URL(origin).host) throw forbidden(`${what} its address is ${origin}`);
  const isReading = method === 'GET';
  const site = headers['sec-fetch-site'];
  const isProgram = site === undefined && isReading && isPageTarget(url);
  if (!isProgram && site !== 'same-origin' && site !== 'none')
    throw forbidden(`${what} the request comes from a page of another origin, or does not name its origin`);
  if (headers.origin !== origin && !(isReading && headers.origin === undefined))
    throw forbidden(`${what} Origin must be ${origin}`);
}

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

function isPageTarget(target: string): boolean {
  return target === '/' || (/^\/[\w.-]+$/.test(target) && extname(target) in types);
}

async function answerPage(name: string): Promise<Answer> {
  const file = name === '' ? 'index.html' : name;
  const [bytes, type] = [(await readPageFiles()).get(file), types[extname(file)]];
  if (bytes === undefined || type === undefined) throw refuseNotFound();
  return { status: 200, headers: ['Content-Type', type], body: bytes };
}
