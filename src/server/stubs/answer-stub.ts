import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Targets } from '../http/url-space.js';
import type { ActiveStub, Stubs } from './stubs.js';

declare module 'fastify' {
  interface FastifyRequest {
    /** What answers in the place of the route; null until the request is admitted. */
    stub: ActiveStub | null;
  }
}

/** Finds the stub for a request. */
export function stubFinder(stubs: Stubs, { toLocal }: Pick<Targets, 'toLocal'>) {
  return ({ method, originalUrl }: FastifyRequest): ActiveStub | null =>
    stubs.find(method, toLocal(originalUrl));
}

/** The hook that has the stub of an admitted request answer it. */
export const answerStub: onRequestHookHandler = ({ stub }, reply, done) => {
  if (stub === null) return done();
  stub.hits += 1;
  // Without `done`, the request goes no further.
  void reply.code(stub.status).headers(Object.fromEntries(stub.headers)).send(stub.body);
};
