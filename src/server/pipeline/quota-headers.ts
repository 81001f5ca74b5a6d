import type { FastifyReply, FastifyRequest, onSendHookHandler } from 'fastify';
import { type Quota, quotaHeader } from '../../contract/quota.js';
import { type QuotaKind, quotaKinds } from '../../contract/resources/index.js';
import type { Quotas } from '../../storage/quotas.js';
import { pathOf } from './url-space.js';

/** What may follow the first segment of a target. */
const ends: readonly string[] = ['', '/', '?', '#'];

/** The resource kind whose endpoints a target belongs to; `undefined` for `/quotas` and all that is not there. */
function kindOfTarget(target: string): QuotaKind | undefined {
  return quotaKinds.find(
    (kind) => target.startsWith(`/${kind}`) && ends.includes(target.charAt(kind.length + 1)),
  );
}

/** Only the first segment has to be one whose escapes can be decoded. */
function kindOfRequest({ originalUrl }: FastifyRequest): QuotaKind | undefined {
  if (!originalUrl.includes('%')) return kindOfTarget(originalUrl);
  const [segment = ''] = originalUrl.slice(1).split(/[/?#]/, 1);
  return kindOfTarget(pathOf(`/${segment}`));
}

/**
 * Adds the quota headers to every answer of an endpoint that has a quota, on all methods (reference, section 4), also
 * to errors as soon as the organization is known. They tell the state after the request.
 */
export function quotaHeaders(quotas: Quotas): onSendHookHandler {
  return (request, reply, _payload, done) => {
    const kind = kindOfRequest(request);
    // When the data cannot be read now, asking again would only hold up the answer.
    if (request.key === null || kind === undefined || reply.statusCode === 503) return done();
    quotas
      .of(request.key.organizationId)
      .then((record) => addHeaders(reply, record[kind]))
      // What was changed is changed: an answer that says so goes out, if need be without the headers. One in its place
      // would have the client repeat it.
      .then(() => done(), request.method === 'GET' ? done : () => done());
  };
}

function addHeaders(reply: FastifyReply, quota: Quota | undefined): void {
  if (quota === undefined) return;
  reply.header(quotaHeader.limit, quota.limit);
  reply.header(quotaHeader.used, quota.used);
  reply.header(quotaHeader.remaining, quota.remaining);
}
