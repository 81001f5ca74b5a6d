import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { organizationQuerySchema, quotasSchema, restoreSchema } from '../../contract/control.js';
import { notFound } from '../pipeline/http-error.js';
import { takeBodies } from '../pipeline/take-body.js';
import type { ResourceRouteOptions } from '../routes/handling.js';
import { conforming } from '../routes/json-body.js';
import { bodyOf } from '../routes/resource-request.js';
import type { Control } from './control.js';
import { journalRoutes } from './journal-routes.js';
import { type JournalStreamOptions, journalStream } from './journal-stream.js';
import { type KeyRouteOptions, keyRoutes } from './key-routes.js';
import { labRoutes } from './lab-routes.js';
import { controlledResourceRoutes } from './resource-routes.js';

export interface ControlApiOptions extends JournalStreamOptions, KeyRouteOptions, ResourceRouteOptions {
  readonly control: Control;
  /** Lets nobody in but who may steer the server. @throws HttpError */
  readonly authorize: (request: IncomingMessage) => void;
}

/** The control API [ours]: every method of `Control` over HTTP, in JSON, and the resources of every organization (docs/serve.md). */
export function controlApi(app: FastifyInstance, options: ControlApiOptions): void {
  const { control, authorize, held } = options;
  app.addHook('onRequest', async ({ raw }) => authorize(raw));
  takeBodies(app, held);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  dataRoutes(app, control);
  labRoutes(app, control);
  journalRoutes(app, control);
  journalStream(app, options);
  keyRoutes(app, options);
  app.register((scope, _options, done) => {
    controlledResourceRoutes(scope, options);
    done();
  });
}

function dataRoutes(app: FastifyInstance, control: Control): void {
  app.get('/status', async () => control.status());
  app.get('/organizations', async () => ({ organizations: await control.organizations() }));
  app.post('/console/links', async (_request, reply) =>
    reply.code(201).send({ console: control.consoleLink() }),
  );
  app.post('/reset', async () => {
    await control.reset();
    return { reset: true };
  });
  app.get('/snapshots', async () => ({ snapshots: control.snapshots() }));
  app.post('/snapshot', async (_request, reply) =>
    reply.code(201).send({ snapshot: await control.snapshot() }),
  );
  app.post('/restore', async (request) => {
    const { snapshot } = bodyOf(request, () => restoreSchema);
    await control.restore(snapshot);
    return { snapshot };
  });
  app.get('/quotas', async ({ query }) =>
    control.quotas.get(conforming(organizationQuerySchema, query).organization),
  );
  app.put('/quotas', async (request) => {
    const { limits, organization } = bodyOf(request, () => quotasSchema);
    return control.quotas.set(limits, organization);
  });
}
