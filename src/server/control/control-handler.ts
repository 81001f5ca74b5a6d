import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { type CallName, controlCalls, controlPath, journalStreamPath } from '../../api/control/calls.js';
import { journalStreamSchema } from '../../api/control/control.js';
import { journalEvent } from '../../api/control/control-events.js';
import type { z } from '../../api/schema/schema.js';
import { ConfigError, UsageError } from '../../errors/errors.js';
import { readPath } from '../../text/base-url.js';
import { type Answer, badRequest, HttpError, jsonAnswer, payloadTooLarge } from '../http/answer.js';
import { conforming, maxControlBytes, parseJsonBody, readBody, readQuery } from '../http/body.js';
import type { Connections } from '../http/connections.js';
import type { Handle } from '../http/listener.js';
import { type Route, routeFinder } from '../http/url-space.js';
import type { Journal, JournalFilter } from '../journal/journal.js';

/** Reads a call's input. @throws if it does not match the schema */
export type Read = <Schema extends z.core.$ZodType>(schema: Schema) => z.output<Schema>;

/** What a call does with a server, or a proxy. */
export type Run<Place, Answer = unknown> = (place: Place, read: Read) => Answer | Promise<Answer>;

interface ControlRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly id: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

export type ControlRoute = Route<(asked: ControlRequest) => Answer | Promise<Answer>>;

/** Answers authorized requests below `controlPath`: these routes, and the journal's stream. */
export function controlHandler(
  routes: readonly ControlRoute[],
  journal: Journal,
  connections: Connections,
  refuse: () => Error,
): Handle {
  const stream = (asked: ControlRequest) =>
    streamJournal(asked, journal, connections.lifetimeOf(asked.response));
  const find = routeFinder([...routes, { method: 'GET', path: journalStreamPath, target: stream }]);
  return async (request, response) => {
    const body = await readBody(response, maxControlBytes, connections.hold);
    if (body === 'too large') throw payloadTooLarge();
    const { method = '', url = '' } = request;
    const found = find(method, readPath(url).slice(controlPath.length));
    if (found === undefined) throw refuse();
    return found.target({ request, response, id: found.id, query: readQuery(url), body });
  };
}

const callNamed = new Map(Object.entries(controlCalls));

export function callRoutes<Place>(
  table: { readonly [Name in CallName]?: Run<Place> },
  place: Place,
): ControlRoute[] {
  return Object.entries(table).flatMap(([name, run]) => {
    const call = callNamed.get(name);
    return call ? [{ ...call, target: (asked) => answerCall(asked, call.status, run, place) }] : [];
  });
}

async function answerCall<Place>(
  { request: { method, headers }, id, query, body }: ControlRequest,
  status: number,
  run: Run<Place>,
  place: Place,
): Promise<Answer> {
  const hasBody = id === '' && method !== 'GET' && method !== 'DELETE';
  const read: Read = (schema) =>
    hasBody ? parseJsonBody(headers, body, () => schema) : conforming(schema, id === '' ? query : { id });
  try {
    return jsonAnswer(status, await run(place, read));
  } catch (error) {
    // From a fault rule, a stub or a profile.
    if (!(error instanceof UsageError || error instanceof ConfigError)) throw error;
    const { message, details } = error;
    const text = details.hint === undefined ? message : `${message}; ${details.hint}`;
    throw error instanceof UsageError ? badRequest(text) : new HttpError(500, text, { check: 'server' });
  }
}

/** Streams journal entries as server-sent events. `Last-Event-ID` resumes. */
function streamJournal({ request, query: given }: ControlRequest, journal: Journal, signal: AbortSignal) {
  const query = conforming(journalStreamSchema, given);
  const after = readLastId(request, journal) ?? journal.before(query);
  return {
    status: 200,
    headers: ['Content-Type', 'text/event-stream', 'Cache-Control', 'no-store', 'Connection', 'close'],
    // Unread entries stay in the journal, which is bounded.
    body: Readable.from(toEvents(journal, query, after, signal), { objectMode: true, highWaterMark: 1 }),
  };
}

function readLastId({ headers }: IncomingMessage, journal: Journal): number | undefined {
  const given = headers['last-event-id'];
  if (typeof given !== 'string') return undefined;
  const [, name, id] = /^([0-9a-f]+)-(\d{1,15})$/.exec(given) ?? [];
  return name === journal.name && Number(id) <= journal.counts.total ? Number(id) : 0;
}

async function* toEvents(journal: Journal, filter: JournalFilter, after: number, signal: AbortSignal) {
  const { name } = journal;
  yield `retry: 500\nid: ${name}-${after}\n\n`;
  for await (const { entries, missed, last } of journal.follow(filter, after, signal)) {
    const lines: string[] = [];
    if (missed > 0) lines.push(event(journalEvent.missed, { count: missed }));
    for (const entry of entries) lines.push(`id: ${name}-${entry.id}\n${event(journalEvent.request, entry)}`);
    // Fires no event, but clients remember the ID, so that they resume after it.
    lines.push(`id: ${name}-${last}\n\n`);
    yield lines.join('');
  }
  yield event(journalEvent.end, {});
}

function event(name: string, data: object): string {
  return `event: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}
