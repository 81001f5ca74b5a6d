import type { FastifyInstance } from 'fastify';
import type { Store } from '../storage/store.js';
import { type AdmissionOptions, admission } from './admission.js';
import { spoilAnswer } from './faults/spoil-answer.js';
import { type RecordOptions, recordExchange } from './journal/record-exchange.js';
import { answerTogether } from './pipeline/answer-together.js';
import { holdAnswer } from './pipeline/hold-answer.js';
import { notFound } from './pipeline/http-error.js';
import { type SlowFailureOptions, slowFailures } from './pipeline/slow-failures.js';
import { quotaHeaders } from './quota-headers.js';
import { apiKeyRoutes } from './routes/api-keys.js';
import { connectionRoutes } from './routes/connections.js';
import { quotaRoutes } from './routes/quotas.js';
import { teamRoutes } from './routes/teams.js';

export interface ServiceOptions extends AdmissionOptions, RecordOptions, SlowFailureOptions {
  readonly store: Store;
}

/** The service of the reference: every path that nothing else of the server claims, behind authentication. */
export function service(app: FastifyInstance, options: ServiceOptions): void {
  const { store } = options;
  app.decorateRequest('key', null);
  app.decorateRequest('bytes', null);
  app.decorateRequest('arrivedAt', 0);
  app.addHook('onRequest', slowFailures(admission(options), options));
  // Before the headers: one that is too many is answered anew.
  app.addHook('onSend', holdAnswer(options.held));
  app.addHook('onSend', quotaHeaders(store.quotas));
  app.addHook('onSend', recordExchange(options));
  // After these: what is spoiled has all its headers.
  app.addHook('onSend', spoilAnswer(options.faults));
  app.addHook('onSend', answerTogether);
  app.setNotFoundHandler(() => {
    throw notFound();
  });
  quotaRoutes(app, store);
  connectionRoutes(app, store, options.held);
  apiKeyRoutes(app, store);
  teamRoutes(app, store);
}
