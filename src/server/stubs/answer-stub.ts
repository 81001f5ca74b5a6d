import type { FastifyRequest, onRequestHookHandler } from 'fastify';
import type { Targets } from '../http/url-space.js';
import type { ActiveStub, Stubs } from './stubs.js';

declare module 'fastify' {
  interface FastifyRequest {
    stub: ActiveStub | null;
  }
}

export function stubFinder(stubs: Stubs, { toLocal }: Pick<Targets, 'toLocal'>) {
  return ({ method, originalUrl }: FastifyRequest): ActiveStub | null =>
    stubs.find(method, toLocal(originalUrl));
}

export const answerStub: onRequestHookHandler = ({ stub }, reply, done) => {
  if (stub === null) return done();
  stub.hits += 1;
  // Not calling `done` ends the request here.
  void reply.code(stub.status).headers(Object.fromEntries(stub.headers)).send(stub.body);
};
