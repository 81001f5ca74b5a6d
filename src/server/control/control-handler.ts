import type { IncomingMessage, ServerResponse } from 'node:http';
import type {
  BodyCallName,
  BodyHandlers,
  Handlers,
  JsonCallName,
  QueryCallName,
  QueryHandlers,
  Schemas,
} from '../../api/control/call-types.js';
import { controlCalls, controlPath, jsonCalls } from '../../api/control/calls.js';
import { controlBodies, controlQueries } from '../../api/control/control.js';
import { readPath } from '../../text/base-url.js';
import { type Answer, jsonAnswer } from '../http/answer.js';
import type { Connections } from '../http/connections.js';
import { payloadTooLarge, refuseNotFound } from '../http/http-error.js';
import { conforming, parseJsonBody, readQuery } from '../http/json-body.js';
import type { Handle } from '../http/listener.js';
import { maxControlBytes, readBody } from '../http/read-body.js';
import { type Route, RouteTable } from '../http/route-table.js';

/** What a listener adds to the control API. */
export interface ControlDoor {
  readonly connections: Connections;
  /** @throws HttpError for a request that may not use the control API */
  readonly authorize: (request: IncomingMessage) => void;
  /** For the console's page, which must not get secrets of existing keys. */
  readonly isOfPage?: boolean;
}

/** A request to the control API. */
export interface ControlRequest {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly method: string;
  /** The part of the path for `{id}`. */
  readonly id: string;
  readonly query: Readonly<Record<string, unknown>>;
  readonly body: Buffer;
}

export type ControlRoute = Route<(asked: ControlRequest) => Answer | Promise<Answer>>;

/** Answers requests below `controlPath`. */
export function controlHandler(
  routes: readonly ControlRoute[],
  { connections, authorize }: ControlDoor,
  refuse: () => Error = refuseNotFound,
): Handle {
  const table = new RouteTable(routes);
  return async (request, response) => {
    authorize(request);
    const body = await readBody(response, maxControlBytes, connections.hold);
    if (body === 'too large') throw payloadTooLarge();
    const { method = '', url = '' } = request;
    const found = table.find(method, readPath(url).slice(controlPath.length));
    if (found === undefined) throw refuse();
    return found.target({ request, response, method, id: found.id, query: readQuery(url), body });
  };
}

const bodies: Schemas<typeof controlBodies> = controlBodies;
const queries: Schemas<typeof controlQueries> = controlQueries;

type Answering = (asked: ControlRequest) => unknown;

/** Routes for all JSON calls of the table in `api/control/calls.ts`. */
export function callRoutes(handlers: Handlers): ControlRoute[] {
  return Object.keys(jsonCalls).flatMap((name) => {
    if (!isNameIn(jsonCalls, name)) return [];
    const { method, path, status } = controlCalls[name];
    const answering = answerCall(name, handlers);
    return [{ method, path, target: async (asked) => jsonAnswer(status, await answering(asked)) }];
  });
}

function answerCall(name: JsonCallName, handlers: Handlers): Answering {
  if (isNameIn(controlBodies, name)) return answerBody(name, handlers);
  if (isNameIn(controlQueries, name)) return answerQuery(name, handlers);
  const handler = handlers[name];
  return ({ id }) => handler(id);
}

function answerBody<Name extends BodyCallName>(name: Name, handlers: BodyHandlers): Answering {
  return ({ request, body }) => handlers[name](parseJsonBody(request.headers, body, () => bodies[name]));
}

function answerQuery<Name extends QueryCallName>(name: Name, handlers: QueryHandlers): Answering {
  return ({ query }) => handlers[name](conforming(queries[name], query));
}

function isNameIn<Table extends object>(table: Table, name: string): name is keyof Table & string {
  return Object.hasOwn(table, name);
}
