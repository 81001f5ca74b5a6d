import type { FastifyInstance, FastifyRequest } from 'fastify';
import {
  advanceSchema,
  clockSchema,
  faultsSchema,
  issueSchema,
  journalQuerySchema,
  keysQuerySchema,
  quotasSchema,
  restoreSchema,
} from '../../contract/control.js';
import type { z } from '../../contract/schema.js';
import { UsageError } from '../../errors.js';
import type { HeldBytes } from '../pipeline/held-bytes.js';
import { badRequest, notFound, payloadTooLarge } from '../pipeline/http-error.js';
import { receiveBody } from '../pipeline/receive-body.js';
import { conforming, parseJsonBody } from '../routes/json-body.js';
import type { Control } from './control.js';
import { type Controllers, requireController } from './guard.js';
import { type JournalStreamOptions, journalStream } from './journal-stream.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** The body of a request to the control API, as received. */
    controlBody: Buffer | null;
  }
}

export interface ControlApiOptions extends JournalStreamOptions {
  readonly control: Control;
  readonly controllers: Controllers;
  readonly held: HeldBytes;
}

interface OneKey {
  Params: { id: string };
}

/** The control API [ours]: every method of `Control` over HTTP, in JSON (docs/serve.md). */
export function controlApi(app: FastifyInstance, options: ControlApiOptions): void {
  const { control, controllers, held } = options;
  app.decorateRequest('controlBody', null);
  app.addHook('onRequest', async (request, reply) => {
    requireController(request.raw, controllers);
    const body = await receiveBody(reply.raw, held);
    if (body === 'too large') {
      // The rest of such a body would be taken for the next request.
      reply.header('connection', 'close');
      throw payloadTooLarge();
    }
    request.controlBody = body;
  });
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  dataRoutes(app, control);
  labRoutes(app, control);
  journalRoutes(app, control);
  journalStream(app, options);
  keyRoutes(app, control);
}

function dataRoutes(app: FastifyInstance, control: Control): void {
  app.get('/status', async () => control.status());
  app.post('/reset', async () => {
    await control.reset();
    return { reset: true };
  });
  app.post('/snapshot', async (_request, reply) =>
    reply.code(201).send({ snapshot: await control.snapshot() }),
  );
  app.post('/restore', async (request) => {
    const { snapshot } = bodyOf(request, restoreSchema);
    await control.restore(snapshot);
    return { snapshot };
  });
  app.put('/quotas', async (request) => {
    const { limits, organization } = bodyOf(request, quotasSchema);
    return control.quotas.set(limits, organization);
  });
}

function labRoutes(app: FastifyInstance, { clock, faults }: Control): void {
  app.get('/clock', async () => clock.get());
  app.put('/clock', async (request) => clock.set(bodyOf(request, clockSchema).time));
  app.post('/clock/advance', async (request) => clock.advance(bodyOf(request, advanceSchema).by));
  app.get('/faults', async () => ({ faults: faults.get() }));
  app.put('/faults', async (request) => {
    const { rules } = bodyOf(request, faultsSchema);
    return { faults: readable(() => faults.set(rules)) };
  });
  app.delete('/faults', async (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
}

function journalRoutes(app: FastifyInstance, { journal }: Control): void {
  app.get('/journal', async ({ query }) => {
    const { count = false, ...wanted } = conforming(journalQuerySchema, query);
    return count ? { count: journal.count(wanted) } : { entries: journal.get(wanted) };
  });
  app.delete('/journal', async (_request, reply) => {
    journal.clear();
    return reply.code(204).send();
  });
}

function keyRoutes(app: FastifyInstance, { keys }: Control): void {
  app.get('/keys', async ({ query }) => ({
    keys: await keys.list(conforming(keysQuerySchema, query).organization),
  }));
  app.post('/keys', async (request, reply) =>
    reply.code(201).send(await keys.issue(bodyOf(request, issueSchema))),
  );
  app.post<OneKey>('/keys/:id/disable', async ({ params }) => keys.disable(params.id));
  app.post<OneKey>('/keys/:id/enable', async ({ params }) => keys.enable(params.id));
  app.delete<OneKey>('/keys/:id', async ({ params }, reply) => {
    await keys.revoke(params.id);
    return reply.code(204).send();
  });
}

function bodyOf<Schema extends z.core.$ZodType>(request: FastifyRequest, schema: Schema): z.output<Schema> {
  const body = request.controlBody ?? Buffer.alloc(0);
  return parseJsonBody(request.headers['content-type'], body, () => schema);
}

/** What a command line would be told of a rule, as an answer. */
function readable<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    if (error instanceof UsageError) throw badRequest(`${error.message}; ${error.details.hint}`);
    throw error;
  }
}
