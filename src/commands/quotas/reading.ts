import type { QuotaRecord } from '../../api/quota.js';
import { isQuotaKind } from '../../api/resources/index.js';
import type { QuotaAnswer } from '../../client/quota-record.js';
import { probeCommand, unknownFormHint } from '../../errors/advice.js';
import { ResultError, ServiceError, UsageError } from '../../errors/errors.js';
import { countNoun } from '../../text/count-noun.js';
import {
  byUsage,
  fullestFirst,
  isLimited,
  isQuota,
  type ShownRow,
  showUnlimited,
  usagePercent,
} from './rows.js';

export interface QuotaReading {
  /** For JSON; includes unreadable quotas as the service returned them. */
  readonly value: unknown;
  readonly rows: readonly ShownRow[];
  /** The error for unreadable or missing quotas. */
  readonly unread?: ServiceError | undefined;
}

/** The quotas of a response, or of one kind. @throws UsageError for an unknown kind; `misfit` if it has no quotas */
export function readingOf({ record, unread, misfit }: QuotaAnswer, kind: string | undefined): QuotaReading {
  if (misfit !== undefined && Object.keys(unread).length === 0) throw misfit;
  const choose = <Value>(quotas: Readonly<Record<string, Value>>) =>
    Object.fromEntries(Object.entries(quotas).filter(([name]) => kind === undefined || name === kind));
  const [known, lacking] = [choose(record), choose(unread)];
  const names = Object.keys(lacking);
  const rows = fullestFirst(known);
  if (kind !== undefined && misfit === undefined && rows.length + names.length === 0) {
    const kinds = Object.keys(record).join(', ');
    throw new UsageError(`--kind ${kind}: the service has no quota for this kind`, {
      hint: kinds === '' ? 'it reports no quotas at all' : `the kinds are ${kinds}`,
    });
  }
  const shown = Object.entries(known).map(([name, quota]) => [name, showUnlimited(quota)]);
  return {
    value: { ...Object.fromEntries(shown), ...lacking },
    rows,
    unread: misfit ?? (names.length > 0 ? unreadError(names) : undefined),
  };
}

export function readableQuotas(
  { record, unread, misfit }: QuotaAnswer,
  kinds: readonly string[],
): QuotaRecord {
  if (misfit !== undefined) throw misfit;
  const lacking = kinds.filter((kind) => Object.hasOwn(unread, kind));
  if (lacking.length > 0) throw unreadError(lacking);
  return record;
}

function unreadError(kinds: readonly string[]): ServiceError {
  const message = `the quota of ${kinds.join(', ')} cannot be read: its numbers are missing, or not integers`;
  return new ServiceError('server', message, {
    retryable: false,
    hint: unknownFormHint,
    next: probeCommand,
  });
}

/** @throws ResultError `threshold` if a quota has reached this percentage */
export function assertBelow(threshold: number | undefined, rows: readonly ShownRow[]): void {
  if (threshold === undefined) return;
  const limited = rows.filter(isQuota).filter(isLimited);
  const over = limited.filter((row) => usagePercent(row) >= threshold);
  const [fullest] = over.toSorted(byUsage);
  if (fullest === undefined) return;
  const { kind, limit, used, profile } = fullest;
  const list = ['orgctl', kind, 'list', '--all', ...(profile === undefined ? [] : ['-p', profile])];
  const figures = over.map((row) => {
    const owner = row.profile === undefined ? '' : `${row.profile}: `;
    return `${owner}${row.kind} ${row.used}/${row.limit}`;
  });
  throw new ResultError('threshold', `quotas at or over ${threshold}%: ${figures.join(', ')}`, {
    ...(isQuotaKind(kind) && { hint: 'list the fullest kind', next: list }),
    quota: { kind, limit, used },
  });
}

export function assertComplete(rows: readonly ShownRow[]): void {
  const failed = rows.flatMap((row) => (isQuota(row) ? [] : [row.profile]));
  const [first] = failed;
  if (first === undefined) return;
  const count = new Set(rows.map(({ profile }) => profile)).size;
  const what = `${failed.length} of ${countNoun(count, 'profile')} could not be read: ${failed.join(', ')}`;
  const next = ['orgctl', 'doctor', '--profile', first];
  throw new ResultError('partial', what, { hint: 'look for the cause', next });
}
