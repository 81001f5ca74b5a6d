import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { sessionSchema } from '../../contract/control.js';
import type { HeldBytes } from '../pipeline/held-bytes.js';
import { HttpError } from '../pipeline/http-error.js';
import { takeBodies } from '../pipeline/take-body.js';
import { bodyOf } from '../routes/resource-request.js';
import type { Sessions } from './sessions.js';

const freshLink = 'for a fresh link: orgctl local console';

/** `POST /session`: the token of a link for a bearer, which the page keeps as long as its tab is open. */
export function sessionRoute(app: FastifyInstance, sessions: Sessions, held: HeldBytes): void {
  takeBodies(app, held);
  app.post('/session', async (request) => {
    const bearer = sessions.open(bodyOf(request, () => sessionSchema).token);
    if (bearer !== undefined) return { bearer };
    throw unauthorized(
      `This link was used before, is older than a minute, or is of another start; ${freshLink}`,
    );
  });
}

/** @throws HttpError 401 for who has no session */
export function requireSession({ headers }: IncomingMessage, sessions: Sessions): void {
  const given = /^bearer (\S+)$/i.exec(headers.authorization ?? '')?.[1] ?? '';
  if (sessions.isOpen(given)) return;
  throw unauthorized(`There is no such session, as when the server was started again; ${freshLink}`);
}

function unauthorized(message: string): HttpError {
  return new HttpError(401, message, { headers: { 'www-authenticate': 'Bearer' } });
}
