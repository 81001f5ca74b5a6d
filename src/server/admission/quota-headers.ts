import type { FastifyReply, onSendHookHandler } from 'fastify';
import { type Quota, quotaHeader } from '../../api/quota.js';
import { type QuotaKind, quotaKinds } from '../../api/resources/index.js';
import type { QuotaReader } from '../../storage/reading/quotas.js';
import { readPath } from '../../text/base-url.js';
import { isReading } from '../http/reading-methods.js';
import type { Targets } from '../http/url-space.js';

const ends: readonly string[] = ['', '/', '?', '#'];

function kindOfTarget(target: string): QuotaKind | undefined {
  return quotaKinds.find(
    (kind) => target.startsWith(`/${kind}`) && ends.includes(target.charAt(kind.length + 1)),
  );
}

function kindOfLocal(target: string): QuotaKind | undefined {
  if (!target.includes('%')) return kindOfTarget(target);
  const [segment = ''] = target.slice(1).split(/[/?#]/, 1);
  return kindOfTarget(readPath(`/${segment}`));
}

/**
 * Adds headers with the quota as it is after the request, if the path's kind has a quota and the request names an
 * existing key. Refusals have the headers, too; server errors do not.
 * @param missing kinds that the service lacks
 */
export function quotaHeaders(
  quotas: QuotaReader,
  { toLocal }: Targets,
  missing: ReadonlySet<string> = new Set(),
): onSendHookHandler {
  return (request, reply, _payload, done) => {
    const kind = kindOfLocal(toLocal(request.originalUrl));
    const { organizationId, refusal } = request;
    // After a server error, reading the quota would only delay the response.
    if (
      organizationId === null ||
      kind === undefined ||
      missing.has(kind) ||
      refusal?.refusal.check === 'server'
    )
      return done();
    // A completed change must be reported: after an error, the client might repeat it.
    const isSuccessOfReading = refusal === null && isReading(request.method);
    quotas
      .of(organizationId)
      .then((record) => addHeaders(reply, record[kind]))
      .then(() => done(), isSuccessOfReading ? done : () => done());
  };
}

function addHeaders(reply: FastifyReply, quota: Quota | undefined): void {
  if (quota === undefined) return;
  reply.header(quotaHeader.limit, quota.limit);
  reply.header(quotaHeader.used, quota.used);
  reply.header(quotaHeader.remaining, quota.remaining);
}
