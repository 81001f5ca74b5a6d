import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Awaitable } from '../storage/awaitable.js';

/**
 * A hook of the framework from work that may be done at once: only work that takes time is waited for. What it throws
 * is thrown to the framework, which answers with it.
 */
export function completing(work: (request: FastifyRequest, reply: FastifyReply) => Awaitable<void>) {
  return (request: FastifyRequest, reply: FastifyReply, done: (error?: Error) => void): void => {
    const working = work(request, reply);
    if (working instanceof Promise) working.then(() => done(), done);
    else done();
  };
}
