import type { FastifyInstance } from 'fastify';
import {
  type ConnectionInput,
  type ConnectionPatch,
  connectionInputSchema,
  connectionPatchSchema,
  shownConfig,
} from '../../contract/connection.js';
import type { Connection } from '../../storage/connections.js';
import type { Store } from '../../storage/store.js';
import { notFound } from '../http-error.js';
import { conforming } from '../json-body.js';
import { answerList } from './list.js';
import { bodyOf, identifierOf, type OneResource, organizationOf, required } from './resource-request.js';

/** `/connections` (GET, POST: reference, section 4) and `/connections/{id}` [ours]. No answer carries a password, or what may be one. */
export function connectionRoutes(app: FastifyInstance, store: Store): void {
  const { connections } = store;
  app.get('/connections', (request) =>
    answerList(request, store, 'connections', async (organizationId, page) =>
      (await connections.list(organizationId, page)).map(shown),
    ),
  );
  app.post('/connections', async (request, reply) => {
    const input = bodyOf(request, connectionInputSchema);
    const connection = await connections.create(organizationOf(request), input);
    return reply.code(201).send(shown(connection));
  });
  app.get<OneResource>('/connections/:id', async (request) =>
    shown(required(await connections.find(organizationOf(request), identifierOf(request)))),
  );
  app.patch<OneResource>('/connections/:id', async (request) => {
    const patch = bodyOf(request, () => connectionPatchSchema);
    const updated = await connections.update(organizationOf(request), identifierOf(request), (current) =>
      patched(current, patch),
    );
    return shown(required(updated));
  });
  app.delete<OneResource>('/connections/:id', async (request, reply) => {
    if (!(await connections.delete(organizationOf(request), identifierOf(request)))) throw notFound();
    return reply.code(204).send();
  });
}

/**
 * A connection with a patch applied: fields of `config` that the patch leaves out stay, the password above all, which
 * no client can read back. @throws HttpError 400 when the whole does not fit its type any more.
 */
function patched({ name, type, config }: Connection, patch: ConnectionPatch): ConnectionInput {
  const next = { name, type, ...patch, config: { ...config, ...patch.config } };
  return conforming(connectionInputSchema(next), next);
}

function shown(connection: Connection): Connection {
  return { ...connection, config: shownConfig(connection.type, connection.config) };
}
