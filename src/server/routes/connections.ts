import { Readable } from 'node:stream';
import { type ConnectionPatch, connectionInputSchema, shownConfig } from '../../api/resources/connection.js';
import type { Envelope } from '../../api/schema/envelope.js';
import {
  type Connection,
  type Connections,
  isWhole,
  type ListedConnection,
  type ShownConnection,
} from '../../storage/connections.js';
import { printJson } from '../../text/exact-json.js';
import { tooMuchHeld } from '../http/held-bytes.js';
import { badRequest } from '../http/http-error.js';
import { conforming } from '../http/json-body.js';
import { exceededLimitOf, jsonLimits } from '../http/json-limits.js';
import type { Asker, PageAnswer, PageText, ResourceRouteOptions } from './handling.js';

/** Copies of a large connection in memory while it is answered: sealed, text, value, and the answer's bytes. */
const copies = 4;

/** Bytes of settings from which on merging a PATCH into them has to wait for its turn. */
const largeConfig = 16 * 1024;

/** What is special about `/connections`: no answer has a password or possible secret, and a PATCH is merged. */
export function connectionHandling(
  connections: Connections,
  { held, report }: Pick<ResourceRouteOptions, 'held' | 'report'>,
) {
  return {
    async list({ page, reply, frame, pageText = ownText, ...asker }: PageAnswer): Promise<unknown> {
      const listed = await frame(await connections.listShown(asker.organizationId, page));
      const { data } = listed;
      if (data.every(isWhole)) return listed;
      const largest = Math.max(...data.map((one) => (isWhole(one) ? 0 : one.bytes)));
      if (!held.takeFor(reply.raw, copies * largest)) throw tooMuchHeld();
      const items = found(data, connections, asker);
      // The status has already been sent: the connection is cut, and only this report tells why.
      const streamed = streamPage(items, await pageText(listed)).once('error', report);
      return reply.type('application/json; charset=utf-8').send(streamed);
    },
    async find(asker: Asker, id: string): Promise<unknown> {
      const one = await connections.findListed(asker.organizationId, id);
      return one && readWhole(one, connections, asker);
    },
    shown: (connection: Connection) => ({ ...connection, config: shownConfig(connection.config) }),
    async beforeChange({ organizationId, turn }: Asker, id: string): Promise<void> {
      const bytes = (await connections.configBytes(organizationId, id)) ?? 0;
      if (bytes > largeConfig) await turn();
    },
    patched,
  };
}

/** Reads large ones when it is their turn; skips those deleted meanwhile. */
async function* found(
  listed: readonly ListedConnection[],
  connections: Connections,
  asker: Asker,
): AsyncGenerator<ShownConnection> {
  for (const one of listed) {
    const connection = await readWhole(one, connections, asker);
    if (connection !== undefined) yield connection;
  }
}

async function readWhole(
  one: ListedConnection,
  connections: Connections,
  { organizationId, turn }: Asker,
): Promise<ShownConnection | undefined> {
  if (isWhole(one)) return one;
  await turn();
  return connections.findLarge(organizationId, one.id);
}

/**
 * A connection with a patch applied: fields of `config` that the patch leaves out stay, the password above all, which
 * no client can read back. @throws HttpError 400 when the whole does not fit its type any more, or exceeds a limit.
 */
function patched(connection: Connection, patch: ConnectionPatch): Connection {
  // Settings of an older version may exceed the limits, and stay as they are.
  if (patch.type === undefined && patch.config === undefined) return { ...connection, ...patch };
  const { name, type } = connection;
  const config = patch.config === undefined ? connection.config : merged(connection.config, patch.config);
  const next = { name, type, ...patch, config };
  conforming(connectionInputSchema(next), next);
  return { ...connection, ...next };
}

/** @throws HttpError 400 when the whole exceeds a limit: every part was within it. */
function merged(config: Connection['config'], patch: Connection['config']): Connection['config'] {
  // No field goes away, and copying a hundred thousand takes long.
  const isFull = Object.keys(config).length > jsonLimits.members;
  const whole = isFull ? config : { ...config, ...patch };
  const exceeded = exceededLimitOf(whole);
  if (exceeded !== undefined) throw badRequest(`config: ${exceeded}`);
  return whole;
}

const start = '{"data":[';

/** Our own envelope, item by item. */
async function ownText(frame: Envelope<unknown>): Promise<PageText> {
  return { start, end: printJson({ ...frame, data: [] }).slice(start.length), item: printJson };
}

/**
 * A page of a list as a stream of JSON, of which one item is in memory at a time: the next one is asked for when the
 * reader has taken what was before.
 */
function streamPage(items: AsyncIterable<object>, text: PageText): Readable {
  return Readable.from(textOf(items, text), { objectMode: false });
}

async function* textOf(items: AsyncIterable<object>, { start, end, item }: PageText): AsyncGenerator<string> {
  let before = start;
  for await (const one of items) {
    yield before + item(one);
    before = ',';
  }
  yield before === start ? start + end : end;
}
