import { Readable } from 'node:stream';
import { type ConnectionPatch, connectionInputSchema, shownConfig } from '../../api/resources/connection.js';
import type { Envelope } from '../../api/schema/envelope.js';
import {
  isWhole,
  type ListedConnection,
  type ShownConnection,
  type StoredConnection,
  type StoredConnections,
} from '../../storage/connections.js';
import { printJson } from '../../text/exact-json.js';
import { tooMuchHeld } from '../http/byte-budget.js';
import { badRequest } from '../http/http-error.js';
import { conforming } from '../http/json-body.js';
import { findExceededLimit } from '../http/json-limits.js';
import type { Asker, PageAnswer, PageText, ResourceRouteOptions } from './resource-handler.js';

const configCopies = 4;

/** Largest config into which a PATCH is merged without waiting for its turn, in bytes. */
const unpacedConfig = 16 * 1024;

/** Leaves passwords and possible secrets out of responses, and merges a PATCH into `config`. */
export function connectionHandling(
  connections: StoredConnections,
  { held, report }: Pick<ResourceRouteOptions, 'held' | 'report'>,
) {
  return {
    async list({ page, reply, frame, pageText = ownText, ...asker }: PageAnswer): Promise<unknown> {
      const listed = await frame(await connections.listShown(asker.organizationId, page));
      const { data } = listed;
      if (data.every(isWhole)) return listed;
      const largest = Math.max(...data.map((one) => (isWhole(one) ? 0 : one.bytes)));
      if (!held.takeFor(reply.raw, configCopies * largest)) throw tooMuchHeld();
      const items = findListed(data, connections, asker);
      // By the time of an error, the status has been sent, so only the report says why.
      const streamed = streamPage(items, await pageText(listed)).once('error', report);
      return reply.type('application/json; charset=utf-8').send(streamed);
    },
    async find(asker: Asker, id: string): Promise<unknown> {
      const one = await connections.findListed(asker.organizationId, id);
      return one && readWhole(one, connections, asker);
    },
    shown: (connection: StoredConnection) => ({ ...connection, config: shownConfig(connection.config) }),
    async beforeChange({ organizationId, turn }: Asker, id: string): Promise<void> {
      const bytes = (await connections.configBytes(organizationId, id)) ?? 0;
      if (bytes > unpacedConfig) await turn();
    },
    patched: patchConnection,
  };
}

async function* findListed(
  listed: readonly ListedConnection[],
  connections: StoredConnections,
  asker: Asker,
): AsyncGenerator<ShownConnection> {
  for (const one of listed) {
    const connection = await readWhole(one, connections, asker);
    if (connection !== undefined) yield connection;
  }
}

async function readWhole(
  one: ListedConnection,
  connections: StoredConnections,
  { organizationId, turn }: Asker,
): Promise<ShownConnection | undefined> {
  if (isWhole(one)) return one;
  await turn();
  return connections.findLarge(organizationId, one.id);
}

/** Keeps fields of `config` that the patch omits, above all the password. @throws HttpError 400 if the result is invalid */
function patchConnection(connection: StoredConnection, patch: ConnectionPatch): StoredConnection {
  // The stored type and config have been checked.
  if (patch.type === undefined && patch.config === undefined) return { ...connection, ...patch };
  const { name, type } = connection;
  const config =
    patch.config === undefined ? connection.config : mergeConfig(connection.config, patch.config);
  const next = { name, type, ...patch, config };
  conforming(connectionInputSchema(next), next);
  return { ...connection, ...next };
}

function mergeConfig(
  config: StoredConnection['config'],
  patch: StoredConnection['config'],
): StoredConnection['config'] {
  const whole = { ...config, ...patch };
  const exceeded = findExceededLimit(whole);
  if (exceeded !== undefined) throw badRequest(`config: ${exceeded}`);
  return whole;
}

const listStart = '{"data":[';

async function ownText(frame: Envelope<unknown>): Promise<PageText> {
  return {
    start: listStart,
    end: printJson({ ...frame, data: [] }).slice(listStart.length),
    item: printJson,
  };
}

function streamPage(items: AsyncIterable<object>, text: PageText): Readable {
  return Readable.from(writeList(items, text), { objectMode: false });
}

async function* writeList(
  items: AsyncIterable<object>,
  { start, end, item }: PageText,
): AsyncGenerator<string> {
  let before = start;
  for await (const one of items) {
    yield before + item(one);
    before = ',';
  }
  yield before === start ? start + end : end;
}
