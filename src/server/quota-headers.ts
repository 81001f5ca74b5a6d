import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { type Quota, quotaHeader } from '../contract/quota.js';
import { isResourceKind, type ResourceKind } from '../contract/resource-kind.js';
import type { Quotas } from '../storage/quotas.js';

const firstSegment = /^\/([a-z-]+)(?:[/?]|$)/;

/** The resource kind whose endpoints a target belongs to; `undefined` for `/quotas` and all that is not there. */
function kindOfTarget(target: string): ResourceKind | undefined {
  const segment = firstSegment.exec(target)?.[1];
  return segment !== undefined && isResourceKind(segment) ? segment : undefined;
}

/** A path with escapes is what its route says; asking the framework for the route of every request takes its time. */
function kindOfRequest(request: FastifyRequest): ResourceKind | undefined {
  const { originalUrl } = request;
  return kindOfTarget(originalUrl.includes('%') ? (request.routeOptions.url ?? originalUrl) : originalUrl);
}

/**
 * Adds the quota headers to every answer of an endpoint that has a quota, on all methods (reference, section 4), also
 * to errors as soon as the organization is known. They tell the state after the request.
 */
export function quotaHeaders(quotas: Quotas): onSendHookHandler {
  return (request, reply, _payload, done) => {
    const kind = kindOfRequest(request);
    // Not a promise: most requests of a load test have no quota, and pay for none.
    if (request.key === null || kind === undefined) return done();
    quotas.of(request.key.organizationId).then((record) => {
      const quota = record[kind];
      if (quota) addHeaders(reply, quota);
      done();
    }, done);
  };
}

function addHeaders(reply: FastifyReply, quota: Quota): void {
  reply.header(quotaHeader.limit, quota.limit);
  reply.header(quotaHeader.used, quota.used);
  reply.header(quotaHeader.remaining, quota.remaining);
}
