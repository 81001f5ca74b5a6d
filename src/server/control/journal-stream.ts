import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { journalStreamPath } from '../../api/control/calls.js';
import { journalStreamSchema } from '../../api/control/control.js';
import { journalEvent } from '../../api/control/control-events.js';
import { conforming } from '../http/body.js';
import type { Journal, JournalBatch } from '../journal/journal.js';
import type { ControlDoor, ControlRoute } from './control-handler.js';

/** Milliseconds between keep-alive messages: without them, an idle server would look dead. */
const keepAliveInterval = 15_000;

/** Streams journal entries, and how many a slow reader missed, as server-sent events. `Last-Event-ID` resumes. */
export function journalRoute(journal: Journal, { connections: { ended } }: ControlDoor): ControlRoute {
  return {
    method: 'GET',
    path: journalStreamPath,
    target({ request, response, query: given }) {
      const query = conforming(journalStreamSchema, given);
      const signal = followEnd(response, ended);
      const after = readLastId(request, journal) ?? journal.before(query);
      const batches = journal.follow({ ...query, after, signal, quiet: keepAliveInterval });
      return {
        status: 200,
        headers: [
          ...['Content-Type', 'text/event-stream', 'Cache-Control', 'no-store'],
          ...['Connection', 'close'],
        ],
        // Reads only one chunk ahead: unread entries stay in the journal, which is bounded.
        body: Readable.from(toEvents(batches, journal, after), { objectMode: true, highWaterMark: 1 }),
      };
    },
  };
}

function followEnd(response: ServerResponse, ended: AbortSignal): AbortSignal {
  const closed = new AbortController();
  response.once('close', () => closed.abort());
  return AbortSignal.any([ended, closed.signal]);
}

function readLastId({ headers }: IncomingMessage, journal: Journal): number | undefined {
  const given = headers['last-event-id'];
  if (typeof given !== 'string') return undefined;
  const [, name, id] = /^([0-9a-f]+)-(\d{1,15})$/.exec(given) ?? [];
  return name === journal.name && Number(id) <= journal.counts.total ? Number(id) : 0;
}

async function* toEvents(
  batches: AsyncIterable<JournalBatch>,
  { name }: Journal,
  start: number,
): AsyncGenerator<string> {
  yield `retry: 500\nid: ${name}-${start}\n\n`;
  for await (const { entries, missed, last } of batches) {
    const lines: string[] = [];
    if (missed > 0) lines.push(event(journalEvent.missed, { count: missed }));
    for (const entry of entries) lines.push(`id: ${name}-${entry.id}\n${event(journalEvent.request, entry)}`);
    // A message without data fires no event, but clients remember its ID, so that they resume after it.
    lines.push(`id: ${name}-${last}\n\n`);
    yield lines.join('');
  }
  yield event(journalEvent.end, {});
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
