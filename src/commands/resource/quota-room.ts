import { type DeclaredResource, hasQuota } from '../../api/resources/index.js';
import type { Context } from '../../cli/context.js';
import { lacksQuotas } from '../../client/quota-record.js';
import { ConfigError, ServiceError } from '../../errors/errors.js';
import { countNoun } from '../../text/count-noun.js';
import { readableQuotas } from '../quotas/reading.js';

/**
 * Checks that so many fit now; other clients may take the room, and the service checks each creation.
 * @param isDryRun works without a configured service
 * @returns a sentence about the quota @throws ServiceError `quota_exceeded` if not all fit
 */
export async function checkRoom(
  count: number,
  resource: DeclaredResource,
  { isDryRun, hint }: { readonly isDryRun: boolean; readonly hint: string },
  context: Context,
): Promise<string | undefined> {
  if (count === 0 || !hasQuota(resource)) return undefined;
  const { kind, singular, plural } = resource;
  const api = await context.api().catch((error: unknown) => {
    if (isDryRun && error instanceof ConfigError) return undefined;
    throw error;
  });
  if (api === undefined) return 'the quota was not read, because no service is set up';
  const quotas = await api.quotas.readAnswer().catch((error: unknown) => {
    if (lacksQuotas(error)) return undefined;
    throw error;
  });
  if (quotas === undefined) return 'the quota was not read, because the service shows none';
  const quota = readableQuotas(quotas, [kind])[kind];
  if (quota === undefined) return undefined;
  const { limit, used } = quota;
  if (limit === Number.POSITIVE_INFINITY) return 'the quota is unlimited';
  const room = Math.max(0, quota.remaining);
  const figures = `(${used} of ${limit} used)`;
  if (room >= count) return `the quota has room for ${count === 1 ? 'it' : `all ${count}`} ${figures}`;
  const subject = countNoun(count, `new ${singular}`, `new ${plural}`);
  const left = room === 0 ? 'is full' : `has room for ${room}`;
  throw new ServiceError(
    'quota_exceeded',
    `${subject}, but the quota ${left} ${figures}; nothing was created`,
    { quota: { kind, limit, used }, retryable: false, hint, next: ['orgctl', kind, 'delete', 'NAME'] },
  );
}
