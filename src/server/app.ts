import type { FastifyInstance } from 'fastify';
import { resources } from '../api/resources/index.js';
import type { Store } from '../storage/store.js';
import { type AdmissionOptions, admission } from './admission/admission.js';
import { type SlowFailureOptions, slowFailures } from './admission/failed-attempts.js';
import { quotaHeaders } from './admission/quota-headers.js';
import type { OpenedDialect } from './dialect/open-dialect.js';
import { applyFaults, type FaultOptions, spoilAnswer } from './faults/apply-faults.js';
import { type BareAppOptions, bareApp } from './http/bare-app.js';
import { holdAnswer } from './http/byte-budget.js';
import { refuseNotFound } from './http/http-error.js';
import { ownPath } from './http/url-space.js';
import { recordExchange, unreadableExchange } from './journal/recorder.js';
import type { LateApp } from './late/late-app.js';
import { answerBrokenRequest } from './listening/broken-request.js';
import { healthRoutes } from './routes/health.js';
import { quotaRoutes } from './routes/quotas.js';
import type { ResourceRouteOptions } from './routes/resource-handler.js';
import { parsePageQuery, readBody, readOrganization } from './routes/resource-request.js';
import { resourceRoutes } from './routes/resources.js';
import { answerStub, stubFinder } from './stubs/answer-stub.js';
import type { Stubs } from './stubs/stubs.js';

export interface AppOptions extends ServiceOptions, Omit<BareAppOptions, 'onBroken'> {
  readonly lateControl: LateApp;
}

/** A request passes the hooks of `bareApp`, then those of its scope. */
export async function buildApp(options: AppOptions): Promise<FastifyInstance> {
  const { clock, recorder } = options;
  const app = bareApp({
    ...options,
    toLocal: options.dialect && options.targets.toLocal,
    onBroken: (error, socket) =>
      answerBrokenRequest(error, socket, (refusal) =>
        recorder.record(unreadableExchange(refusal.statusCode, clock()), refusal),
      ),
  });
  healthRoutes(app, options.store);
  app.register((scope, _options, done) => {
    service(scope, options);
    done();
  });
  app.register(handOver(options.lateControl), { prefix: ownPath.control });
  await app.ready();
  return app;
}

function handOver(late: LateApp) {
  return (scope: FastifyInstance, _options: object, done: () => void) => {
    scope.setNotFoundHandler(({ raw }, reply) => {
      reply.hijack();
      late.answer(raw, reply.raw);
    });
    done();
  };
}

export async function buildControl(
  options: Omit<BareAppOptions, 'onBroken'>,
  mount: (scope: FastifyInstance) => Promise<void>,
): Promise<FastifyInstance> {
  // The service's app already responds to broken requests.
  const app = bareApp({ ...options, onBroken: () => undefined });
  app.register(mount, { prefix: ownPath.control });
  await app.ready();
  return app;
}

export interface ServiceOptions
  extends Omit<AdmissionOptions, 'findStub'>,
    FaultOptions,
    SlowFailureOptions,
    ResourceRouteOptions {
  readonly store: Store;
  readonly stubs: Stubs;
  readonly dialect?: OpenedDialect | undefined;
}

function service(app: FastifyInstance, options: ServiceOptions): void {
  const { store, dialect, targets } = options;
  const findStub = stubFinder(options.stubs, targets);
  app.decorateRequest('key', null);
  app.decorateRequest('organizationId', null);
  app.decorateRequest('bytes', null);
  app.decorateRequest('fault', null);
  app.decorateRequest('stub', null);
  app.addHook('onRequest', applyFaults(options));
  app.addHook('onRequest', slowFailures(admission({ ...options, findStub }), options));
  app.addHook('onRequest', answerStub);
  const translation = dialect?.translate(app, options);
  // Before the quota headers, because it may replace the response.
  app.addHook('onSend', holdAnswer(options.held));
  app.addHook('onSend', quotaHeaders(store.quotas, targets, dialect?.missing));
  app.addHook('onSend', recordExchange(options));
  // After the hooks above, so that spoiled responses have all headers and are recorded.
  app.addHook('onSend', spoilAnswer);
  // Writes all responses of one event-loop turn together at its end, because each write wakes a client.
  app.addHook('onSend', (_request, _reply, _payload, done) => void setImmediate(done));
  app.setNotFoundHandler(() => {
    throw refuseNotFound();
  });
  quotaRoutes(app, store, translation?.writeQuotas);
  resourceRoutes(app, options, {
    resources,
    organizationOf: readOrganization,
    pageOf: ({ query }) => parsePageQuery(query),
    bodyOf: readBody,
    ...translation,
  });
}
