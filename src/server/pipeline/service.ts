import type { FastifyInstance } from 'fastify';
import { resources } from '../../contract/resources/index.js';
import type { Store } from '../../storage/store.js';
import { applyFaults, type FaultOptions, spoilAnswer } from '../faults/apply-faults.js';
import { recordExchange } from '../journal/recorder.js';
import type { ResourceRouteOptions } from '../routes/handling.js';
import { quotaRoutes } from '../routes/quotas.js';
import { organizationOf, parsePageQuery } from '../routes/resource-request.js';
import { resourceRoutes } from '../routes/resources.js';
import { type AdmissionOptions, admission } from './admission.js';
import { answerTogether } from './answer-together.js';
import { type SlowFailureOptions, slowFailures } from './failed-attempts.js';
import { holdAnswer } from './held-bytes.js';
import { notFound } from './http-error.js';
import { quotaHeaders } from './quota-headers.js';

export interface ServiceOptions
  extends AdmissionOptions,
    FaultOptions,
    SlowFailureOptions,
    ResourceRouteOptions {
  readonly store: Store;
}

/** The service of the reference: every path that nothing else of the server claims, behind authentication. */
export function service(app: FastifyInstance, options: ServiceOptions): void {
  const { store } = options;
  app.decorateRequest('key', null);
  app.decorateRequest('bytes', null);
  app.decorateRequest('fault', null);
  app.addHook('onRequest', applyFaults(options));
  app.addHook('onRequest', slowFailures(admission(options), options));
  // Before the headers: one that is too many is answered anew.
  app.addHook('onSend', holdAnswer(options.held));
  app.addHook('onSend', quotaHeaders(store.quotas));
  app.addHook('onSend', recordExchange(options));
  // After these: what is spoiled has all its headers.
  app.addHook('onSend', spoilAnswer);
  app.addHook('onSend', answerTogether);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  quotaRoutes(app, store);
  resourceRoutes(app, options, {
    resources,
    organizationOf,
    pageOf: ({ query }) => parsePageQuery(query),
  });
}
