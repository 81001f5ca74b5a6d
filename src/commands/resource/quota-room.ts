import { type DeclaredResource, hasQuota } from '../../api/resources/index.js';
import type { Context } from '../../cli/context.js';
import { lacksQuotas } from '../../client/quota-record.js';
import { ConfigError, ServiceError } from '../../errors/errors.js';
import { countNoun } from '../../text/count-noun.js';
import { readableQuotas } from '../quotas/reading.js';
import type { ListCounts } from './pages.js';

export interface RoomOptions {
  readonly skipExisting?: boolean | undefined;
  readonly dryRun?: boolean | undefined;
  /** How many were skipped, because they exist. */
  readonly existing: number;
  /** Of the list from which the creations were chosen. */
  readonly counts?: ListCounts | undefined;
}

const unread = 'the quota was not read, because the service shows none';

/**
 * Checks that so many fit now; other clients may take the room.
 * @returns a sentence about the quota @throws ServiceError `quota_exceeded` if not all fit
 */
export async function checkRoom(
  count: number,
  resource: DeclaredResource,
  options: RoomOptions,
  context: Context,
): Promise<string | undefined> {
  if (count === 0 || !hasQuota(resource)) return undefined;
  const api = await context.api().catch((error: unknown) => {
    if (options.dryRun && error instanceof ConfigError) return undefined;
    throw error;
  });
  if (api === undefined) return 'the quota was not read, because no service is set up';
  const quotas = await api.quotas.readAnswer().catch((error: unknown) => {
    // The service checks each creation.
    if (lacksQuotas(error)) return undefined;
    throw error;
  });
  const read = quotas && readableQuotas(quotas, [resource.kind])[resource.kind];
  const quota = read ?? options.counts?.quota;
  if (quota === undefined) return quotas === undefined ? unread : undefined;
  const { limit, used } = quota;
  if (limit === Number.POSITIVE_INFINITY) return read === undefined ? unread : 'the quota is unlimited';
  const room = Math.max(0, quota.remaining);
  const figures = `(${used} of ${limit} used)`;
  if (room >= count) return `the quota has room for ${count === 1 ? 'it' : `all ${count}`} ${figures}`;
  throw refuseQuota(count, room, resource, { ...options, figures, quota: { limit, used } });
}

function refuseQuota(
  count: number,
  room: number,
  { kind, singular, plural }: DeclaredResource,
  {
    existing,
    skipExisting,
    figures,
    quota,
  }: RoomOptions & {
    readonly figures: string;
    readonly quota: { readonly limit: number; readonly used: number };
  },
): ServiceError {
  const subject = countNoun(count, `new ${singular}`, `new ${plural}`);
  const skipped =
    existing === 0 ? '' : existing === 1 ? ' (1 exists already)' : ` (${existing} exist already)`;
  const left = room === 0 ? 'is full' : `has room for ${room}`;
  return new ServiceError(
    'quota_exceeded',
    `${subject}${skipped}, but the quota ${left} ${figures}; nothing was created`,
    {
      quota: { kind, ...quota },
      retryable: false,
      hint: `${skipExisting || count === 1 ? '' : 'if some exist already, add --skip-existing; otherwise '}make room`,
      next: ['orgctl', kind, 'delete', 'NAME'],
    },
  );
}
