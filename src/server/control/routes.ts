import type { IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import {
  advanceSchema,
  clockSchema,
  faultsSchema,
  issueSchema,
  journalQuerySchema,
  newProfileSchema,
  organizationQuerySchema,
  quotasSchema,
  rateLimitSchema,
  restoreSchema,
  signatureCheckSchema,
  stubsSchema,
} from '../../api/control/control.js';
import type { z } from '../../api/schema/schema.js';
import { OrgctlError, UsageError } from '../../errors/errors.js';
import { equalInConstantTime } from '../../signing/index.js';
import type { Store } from '../../storage/store.js';
import { badRequest, HttpError, notFound } from '../http/http-error.js';
import { conforming } from '../http/json-body.js';
import { takeBodies } from '../http/receive-body.js';
import type { SaveProfile } from '../options/server-options.js';
import type { ResourceRouteOptions } from '../routes/handling.js';
import { bodyOf, type OneResource } from '../routes/resource-request.js';
import type { Control } from './control.js';
import { type JournalStreamOptions, journalStream } from './journal-stream.js';
import { noSuchKey } from './keys.js';
import { controlledResourceRoutes } from './resource-routes.js';

export interface ControlApiOptions extends JournalStreamOptions, KeyRouteOptions, ResourceRouteOptions {
  readonly control: Control;
  /** Admits only those who may control the server. @throws HttpError */
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
  app.post('/console/codes', async (_request, reply) => reply.code(201).send(control.consoleInvitation()));
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

/** Clock, faults, stubs and rate limit. */
function labRoutes(app: FastifyInstance, { clock, faults, stubs, rateLimit }: Control): void {
  app.get('/clock', async () => clock.get());
  app.put('/clock', async (request) => clock.set(bodyOf(request, () => clockSchema).time));
  app.post('/clock/advance', async (request) => clock.advance(bodyOf(request, () => advanceSchema).by));
  app.get('/faults', async () => ({ faults: faults.get() }));
  app.put('/faults', async (request) => {
    const { rules } = bodyOf(request, () => faultsSchema);
    return { faults: await readable(async () => faults.set(rules)) };
  });
  app.delete('/faults', async (_request, reply) => {
    faults.clear();
    return reply.code(204).send();
  });
  app.get('/stubs', async () => ({ stubs: stubs.get() }));
  app.put('/stubs', async (request) => {
    const { stubs: wanted } = bodyOf(request, () => stubsSchema);
    return { stubs: await readable(async () => stubs.set(wanted)) };
  });
  app.delete('/stubs', async (_request, reply) => {
    stubs.clear();
    return reply.code(204).send();
  });
  app.get('/rate-limit', async () => ({ rateLimit: rateLimit.get() ?? null }));
  app.put('/rate-limit', async (request) => ({
    rateLimit: rateLimit.set(bodyOf(request, () => rateLimitSchema)),
  }));
  app.delete('/rate-limit', async (_request, reply) => {
    rateLimit.clear();
    return reply.code(204).send();
  });
}

/** The journal, except its stream, and the check of signatures. */
function journalRoutes(app: FastifyInstance, { journal, signatures }: Control): void {
  app.get('/journal', async ({ query }) => {
    const { count = false, ...wanted } = conforming(journalQuerySchema, query);
    return count ? { count: journal.count(wanted) } : { entries: journal.get(wanted) };
  });
  app.get<{ Params: { id: string } }>('/journal/:id', async ({ params: { id } }) =>
    journal.find(/^\d{1,15}$/.test(id) ? Number(id) : 0),
  );
  app.post('/signatures/check', async (request) =>
    signatures.check(bodyOf(request, () => signatureCheckSchema)),
  );
  app.delete('/journal', async (_request, reply) => {
    journal.clear();
    return reply.code(204).send();
  });
}

export interface KeyRouteOptions {
  readonly control: Control;
  readonly store: Store;
  readonly saveProfile: SaveProfile | undefined;
}

/** What the management console does with keys, by the reference (sections 2 and 3); and saving one as a profile. */
function keyRoutes(app: FastifyInstance, options: KeyRouteOptions): void {
  const { keys } = options.control;
  app.get('/keys', async ({ query }) => ({
    keys: await keys.list(conforming(organizationQuerySchema, query).organization),
  }));
  app.post('/keys', async (request, reply) =>
    reply.code(201).send(await keys.issue(bodyOf(request, () => issueSchema))),
  );
  app.post<OneResource>('/keys/:id/disable', async ({ params }) => keys.disable(params.id));
  app.post<OneResource>('/keys/:id/enable', async ({ params }) => keys.enable(params.id));
  app.delete<OneResource>('/keys/:id', async ({ params }, reply) => {
    await keys.revoke(params.id);
    return reply.code(204).send();
  });
  app.post('/profiles', async (request, reply) => {
    const asked = bodyOf(request, () => newProfileSchema);
    await keepProfile(asked, options);
    return reply.code(201).send({ profile: asked.name });
  });
}

/** @throws HttpError 404 without a way to keep it, or such a key; 400 for another secret, or no name; 409 for a name that is taken */
async function keepProfile(
  { name, keyId, secret }: z.output<typeof newProfileSchema>,
  { control, store, saveProfile }: KeyRouteOptions,
): Promise<void> {
  if (saveProfile === undefined) throw new HttpError(404, 'This server keeps no profiles');
  const key = await store.apiKeys.credential(keyId);
  if (key === undefined) throw noSuchKey();
  // Otherwise a bad profile would only show at its first use.
  if (!equalInConstantTime(secret, key.secret)) throw badRequest(`This is not the secret of ${keyId}`);
  const { url, caFile } = control.status();
  const isKept = await readable(() => saveProfile({ name, url, keyId, secret, caFile }));
  if (!isKept) throw new HttpError(409, `There is already a profile ${name}`);
}

/** Turns our errors, which are worded for command lines, into answers. */
async function readable<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof OrgctlError)) throw error;
    const { message, details } = error;
    const text = details.hint === undefined ? message : `${message}; ${details.hint}`;
    throw error instanceof UsageError ? badRequest(text) : new HttpError(500, text, { check: 'server' });
  }
}
