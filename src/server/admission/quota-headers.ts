import { type Quota, quotaHeader } from '../../api/quota.js';
import { type QuotaKind, quotaKinds } from '../../api/resources/index.js';
import type { Service } from '../service.js';
import type { ServiceRequest } from '../service-request.js';

/**
 * Headers with the quota as it is after the request, if the path's kind has a quota and the request names an existing
 * key. Refusals have the headers, too; server errors do not: reading the quota would only delay the response. Returns a
 * promise only if the quota is not in memory.
 */
export function quotaHeaders(
  { organizationId, refusal, path }: ServiceRequest,
  { store: { quotas }, dialect }: Service,
): readonly string[] | Promise<readonly string[]> {
  if (organizationId === undefined || refusal?.refusal.check === 'server') return none;
  const kind = kindOfPath(path);
  if (kind === undefined || dialect?.missing.has(kind)) return none;
  const kept = quotas.kept(organizationId);
  if (kept !== undefined) return write(kept[kind]);
  // A completed change must be reported: after an error, the client might repeat it.
  return quotas.of(organizationId).then(
    (record) => write(record[kind]),
    () => none,
  );
}

const none: readonly string[] = [];

function write(quota: Quota | undefined): readonly string[] {
  if (quota === undefined) return none;
  const { limit, used, remaining } = quota;
  return [quotaHeader.limit, `${limit}`, quotaHeader.used, `${used}`, quotaHeader.remaining, `${remaining}`];
}

function kindOfPath(path: string): QuotaKind | undefined {
  return quotaKinds.find(
    (kind) => path.startsWith(kind, 1) && (path.length === kind.length + 1 || path[kind.length + 1] === '/'),
  );
}
