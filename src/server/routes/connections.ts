import { Readable } from 'node:stream';
import type { Envelope } from '../../contract/envelope.js';
import { printJson } from '../../contract/exact-json.js';
import {
  type ConnectionPatch,
  connectionInputSchema,
  shownConfig,
} from '../../contract/resources/connection.js';
import {
  type Connection,
  type Connections,
  isWhole,
  type ListedConnection,
} from '../../storage/connections.js';
import { tooMuchHeld } from '../pipeline/held-bytes.js';
import type { PageAnswer, ResourceRouteOptions } from './handling.js';
import { conforming } from './json-body.js';

/** Copies of a large connection in memory while it is answered: sealed, text, value, and the answer's bytes. */
const copies = 4;

/** What is special about `/connections`: no answer has a password or possible secret, and a PATCH is merged. */
export function connectionHandling(
  connections: Connections,
  { held, report }: Pick<ResourceRouteOptions, 'held' | 'report'>,
) {
  return {
    async list({ organizationId, page, reply, frame }: PageAnswer): Promise<unknown> {
      const listed = await frame(await connections.listSparingly(organizationId, page));
      const { data } = listed;
      if (data.every(isWhole)) return { ...listed, data: data.map(shown) };
      const largest = Math.max(...data.map((one) => (isWhole(one) ? 0 : one.bytes)));
      if (!held.takeFor(reply.raw, copies * largest)) throw tooMuchHeld();
      const items = found(data, connections, organizationId);
      // The status has already been sent: the connection is cut, and only this report tells why.
      const streamed = streamedPage(items, listed).once('error', report);
      return reply.type('application/json; charset=utf-8').send(streamed);
    },
    shown,
    patched,
  };
}

/** Reads large ones when it is their turn; skips those deleted meanwhile. */
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
function patched(connection: Connection, patch: ConnectionPatch): Connection {
  const { name, type, config } = connection;
  const next = { name, type, ...patch, config: { ...config, ...patch.config } };
  return { ...connection, ...conforming(connectionInputSchema(next), next) };
}

function shown(connection: Connection): Connection {
  return { ...connection, config: shownConfig(connection.type, connection.config) };
}

const start = '{"data":[';

/**
 * A page of a list as a stream of JSON, of which one item is in memory at a time: the next one is asked for when the
 * reader has taken what was before. @param frame the page's envelope; its own items do not count
 */
function streamedPage(items: AsyncIterable<unknown>, frame: Envelope<unknown>): Readable {
  return Readable.from(textOf(items, { ...frame, data: [] }), { objectMode: false });
}

async function* textOf(items: AsyncIterable<unknown>, frame: Envelope<unknown>): AsyncGenerator<string> {
  const end = printJson(frame).slice(start.length);
  let before = start;
  for await (const item of items) {
    yield before + printJson(item);
    before = ',';
  }
  yield before === start ? start + end : end;
}
