import { type QuotaRecord, quotaHeader } from '../../api/quota.js';
import { type QuotaKind, quotaKinds } from '../../api/resources/index.js';
import type { Answer } from '../http/answer.js';
import type { Service } from '../service.js';
import type { ServiceRequest } from '../service-request.js';

/**
 * Adds headers with the quota as it is after the request, if the path's kind has a quota and the request names an
 * existing key. Refusals have the headers, too; server errors do not: reading the quota would only delay the response.
 * Returns a promise only if the quota is not in memory.
 */
export function addQuotaHeaders(
  { headers }: Answer,
  { organizationId, refusal, path }: ServiceRequest,
  { store: { quotas }, dialect }: Service,
): Promise<void> | undefined {
  if (organizationId === undefined || refusal?.refusal.check === 'server') return undefined;
  const kind = kindOfPath(path);
  if (kind === undefined || dialect?.missing.has(kind)) return undefined;
  const add = (record: QuotaRecord) => {
    const quota = record[kind];
    if (quota === undefined) return;
    const { limit, used, remaining } = quota;
    headers.push(quotaHeader.limit, `${limit}`, quotaHeader.used, `${used}`);
    headers.push(quotaHeader.remaining, `${remaining}`);
  };
  const kept = quotas.kept(organizationId);
  if (kept !== undefined) return void add(kept);
  // A completed change must be reported: after an error, the client might repeat it.
  return quotas.of(organizationId).then(add, () => undefined);
}

function kindOfPath(path: string): QuotaKind | undefined {
  return quotaKinds.find(
    (kind) => path.startsWith(kind, 1) && (path.length === kind.length + 1 || path[kind.length + 1] === '/'),
  );
}
