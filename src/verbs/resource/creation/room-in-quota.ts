import { type DeclaredResource, hasQuota } from '../../../api/resources/index.js';
import type { Context } from '../../../cli/context.js';
import { lacksQuotas } from '../../../client/quota-record.js';
import { readableQuotas } from '../../../commands/quotas/reading.js';
import { ConfigError, ServiceError } from '../../../errors/errors.js';
import { countNoun } from '../../../text/count-noun.js';
import type { ListCounts } from '../../pages.js';

interface Room {
  readonly slots: number;
  readonly said?: string;
}

export interface RoomOptions {
  readonly upToQuota?: boolean | undefined;
  readonly skipExisting?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** How many were skipped, because they exist. */
  readonly existing?: number;
  /** Of the list from which the creations were chosen. */
  readonly counts?: ListCounts | undefined;
}

const unread = 'the quota was not read, because the service shows none';

/**
 * The room now; other clients may take it.
 * @throws ServiceError `quota_exceeded` if not all fit, unless `upToQuota`
 */
export async function roomInQuota(
  count: number,
  resource: DeclaredResource,
  { upToQuota, skipExisting, dryRun, existing = 0, counts }: RoomOptions,
  context: Pick<Context, 'api'>,
): Promise<Room> {
  if (count === 0 || !hasQuota(resource)) return { slots: count };
  const api = await context.api().catch((error: unknown) => {
    if (dryRun && error instanceof ConfigError) return undefined;
    throw error;
  });
  if (api === undefined)
    return { slots: count, said: 'the quota was not read, because no service is set up' };
  const quotas = await api.quotas.readAnswer().catch((error: unknown) => {
    // --up-to-quota needs the figures; otherwise, the service checks each creation.
    if (lacksQuotas(error) && (counts?.quota !== undefined || !upToQuota)) return undefined;
    throw error;
  });
  const read = quotas && readableQuotas(quotas, [resource.kind])[resource.kind];
  const quota = read ?? counts?.quota;
  if (quota === undefined) return { slots: count, ...(quotas === undefined && { said: unread }) };
  if (quota.limit === Number.POSITIVE_INFINITY)
    return { slots: count, said: read === undefined ? unread : 'the quota is unlimited' };
  const { limit, used } = quota;
  const slots = Math.min(count, Math.max(0, quota.remaining));
  const said = `the quota has room for ${describeRoom(slots, count)} (${used} of ${limit} used)`;
  if (slots === count || upToQuota) return { slots, said };
  const { kind, plural, singular } = resource;
  const subject = countNoun(count, `new ${singular}`, `new ${plural}`);
  const isFull = slots === 0;
  const skip = skipExisting || count === 1 ? '' : 'if some exist already, add --skip-existing; otherwise ';
  const room = isFull ? 'is full' : `has room for ${slots}`;
  throw new ServiceError(
    'quota_exceeded',
    `${subject}${describeSkipped(existing)}, but the quota ${room} (${used} of ${limit} used); nothing was created`,
    {
      quota: { kind, limit, used },
      retryable: false,
      hint: `${skip}${isFull ? '' : 'create as many as fit with --up-to-quota, or '}make room`,
      next: ['orgctl', kind, 'delete', 'NAME'],
    },
  );
}

function describeSkipped(existing: number): string {
  if (existing === 0) return '';
  return existing === 1 ? ' (1 exists already)' : ` (${existing} exist already)`;
}

function describeRoom(slots: number, count: number): string {
  if (slots < count) return `${slots} of ${count}`;
  return count === 1 ? 'it' : `all ${count}`;
}
