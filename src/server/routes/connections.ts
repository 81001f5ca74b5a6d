import type { FastifyInstance } from 'fastify';
import {
  type ConnectionInput,
  type ConnectionPatch,
  connectionInputSchema,
  connectionPatchSchema,
  shownConfig,
} from '../../contract/connection.js';
import {
  type Connection,
  type Connections,
  isWhole,
  type ListedConnection,
} from '../../storage/connections.js';
import type { Store } from '../../storage/store.js';
import { type HeldBytes, tooMuchHeld } from '../pipeline/held-bytes.js';
import { notFound } from '../pipeline/http-error.js';
import { conforming } from './json-body.js';
import { answerList } from './list.js';
import { bodyOf, identifierOf, type OneResource, organizationOf, required } from './resource-request.js';
import { streamedPage } from './streamed-page.js';

/** `/connections` (GET, POST: reference, section 4) and `/connections/{id}` [ours]. No answer carries a password, or what may be one. */
export function connectionRoutes(app: FastifyInstance, store: Store, held: HeldBytes): void {
  const { connections } = store;
  app.get('/connections', async (request, reply) => {
    const listed = await answerList(request, store, 'connections', (organizationId, page) =>
      connections.list(organizationId, page),
    );
    const { data } = listed;
    if (data.every(isWhole)) return { ...listed, data: data.map(shown) };
    const largest = Math.max(...data.map((one) => (isWhole(one) ? 0 : one.bytes)));
    if (!held.takeFor(reply.raw, copies * largest)) throw tooMuchHeld();
    const items = found(data, connections, organizationOf(request));
    return reply.type('application/json; charset=utf-8').send(streamedPage(items, listed));
  });
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

/** How often a large connection is in memory while it is answered: sealed, as text, as value, and as the answer's bytes. */
const copies = 4;

/** Finds the large ones when it is their turn; one that was deleted by then is left out. */
async function* found(
  listed: readonly ListedConnection[],
  connections: Connections,
  organizationId: string,
): AsyncGenerator<Connection> {
  for (const one of listed) {
    const connection = isWhole(one) ? one : await connections.find(organizationId, one.id);
    if (connection !== undefined) yield shown(connection);
  }
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
