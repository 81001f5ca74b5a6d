import type { FastifyInstance, FastifyRequest } from 'fastify';
import type {
  BodyCallName,
  BodyHandlers,
  Handlers,
  JsonCallName,
  QueryCallName,
  QueryHandlers,
  Schemas,
} from '../../api/control/call-types.js';
import { controlCalls, jsonCalls } from '../../api/control/calls.js';
import { controlBodies, controlQueries } from '../../api/control/control.js';
import { conforming } from '../http/json-body.js';
import { type OneResource, readBody } from '../routes/resource-request.js';
import { findRoute } from '../routes/resources.js';

const bodies: Schemas<typeof controlBodies> = controlBodies;
const queries: Schemas<typeof controlQueries> = controlQueries;

type Answering = (request: FastifyRequest<OneResource>) => unknown;

/** Routes all JSON calls of the table in `api/control/calls.ts`. */
export function mountCalls(app: FastifyInstance, handlers: Handlers): void {
  for (const name of Object.keys(jsonCalls)) {
    if (!isNameIn(jsonCalls, name)) continue;
    const call = controlCalls[name];
    const answering = answerCall(name, handlers);
    app.route<OneResource>({
      method: call.method,
      url: findRoute(call),
      handler: async (request, reply) => reply.code(call.status).send(await answering(request)),
    });
  }
}

function answerCall(name: JsonCallName, handlers: Handlers): Answering {
  if (isNameIn(controlBodies, name)) return answerBody(name, handlers);
  if (isNameIn(controlQueries, name)) return answerQuery(name, handlers);
  const handler = handlers[name];
  return ({ params }) => handler(params.id);
}

function answerBody<Name extends BodyCallName>(name: Name, handlers: BodyHandlers): Answering {
  return (request) => handlers[name](readBody(request, () => bodies[name]));
}

function answerQuery<Name extends QueryCallName>(name: Name, handlers: QueryHandlers): Answering {
  return ({ query }) => handlers[name](conforming(queries[name], query));
}

function isNameIn<Table extends object>(table: Table, name: string): name is keyof Table & string {
  return Object.hasOwn(table, name);
}
