import type { FastifyReply, FastifyRequest } from 'fastify';
import { quotaHeader } from '../contract/quota.js';
import { isResourceKind, type ResourceKind } from '../contract/resource-kind.js';
import type { Quotas } from '../storage/quotas.js';

const firstSegment = /^\/([a-z-]+)(?:[/?]|$)/;

/** The resource kind whose endpoints a target belongs to; `undefined` for `/quotas` and all that is not there. */
export function kindOfTarget(target: string): ResourceKind | undefined {
  const segment = firstSegment.exec(target)?.[1];
  return segment !== undefined && isResourceKind(segment) ? segment : undefined;
}

/**
 * Adds the quota headers to every answer of an endpoint that has a quota, on all methods (reference, section 4), also
 * to errors as soon as the organization is known. They tell the state after the request.
 */
export function quotaHeaders(quotas: Quotas) {
  return async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
    const kind = kindOfTarget(request.routeOptions.url ?? request.originalUrl);
    if (request.key === null || kind === undefined) return;
    const quota = (await quotas.of(request.key.organizationId))[kind];
    if (quota === undefined) return;
    reply.header(quotaHeader.limit, quota.limit);
    reply.header(quotaHeader.used, quota.used);
    reply.header(quotaHeader.remaining, quota.remaining);
  };
}
