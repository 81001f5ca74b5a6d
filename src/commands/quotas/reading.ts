import type { QuotaRecord } from '../../api/quota.js';
import { isQuotaKind } from '../../api/resources/index.js';
import type { QuotaAnswer } from '../../client/quota-record.js';
import { probeCommand, unknownFormHint } from '../../errors/advice.js';
import { ResultError, ServiceError, UsageError } from '../../errors/errors.js';
import { countNoun } from '../../text/count-noun.js';
import { fullestFirst, isLimited, isQuota, type QuotaRow, type ShownRow, usagePercent } from './rows.js';

/** What one reading shows. */
export interface QuotaReading {
  /** For JSON; includes unreadable quotas as the service returned them. */
  readonly value: unknown;
  readonly rows: readonly ShownRow[];
  /** The error for unreadable or missing quotas. */
  readonly unread?: ServiceError | undefined;
}

/** The quotas of a response, or the quota of one kind. @throws UsageError for a kind that the service does not have */
export function readingOf(answer: QuotaAnswer, kind: string | undefined): QuotaReading {
  const { record, unread, unlimited, misfit } = answer;
  if (kind !== undefined && !Object.hasOwn(unread, kind)) {
    if (Object.hasOwn(record, kind)) return shown({ [kind]: record[kind] }, unlimited);
    if (misfit === undefined) throw unknownKind(kind, record);
  }
  const lacking = Object.keys(unread).filter((one) => kind === undefined || one === kind);
  const others = Object.fromEntries(lacking.map((one) => [one, unread[one]]));
  const read = shown(kind === undefined ? record : {}, unlimited, others);
  if (lacking.length > 0 && Object.keys(record).length > 0) return { ...read, unread: unreadError(lacking) };
  return { ...read, unread: misfit ?? (lacking.length > 0 ? unreadError(lacking) : undefined) };
}

function shown(
  record: Readonly<Record<string, QuotaRecord[string] | undefined>>,
  unlimited: QuotaAnswer['unlimited'],
  others: object = {},
): QuotaReading {
  const known = Object.fromEntries(
    Object.entries(record).flatMap(([kind, quota]) => (quota ? [[kind, quota]] : [])),
  );
  const value = Object.fromEntries(
    Object.entries(known).map(([kind, quota]) => [kind, { ...quota, ...unlimited[kind] }]),
  );
  return { value: { ...value, ...others }, rows: fullestFirst(known, unlimited) };
}

function unknownKind(kind: string, record: QuotaRecord): UsageError {
  const kinds = Object.keys(record).join(', ');
  return new UsageError(`--kind ${kind}: the service has no quota for this kind`, {
    hint: kinds === '' ? 'it reports no quotas at all' : `the kinds are ${kinds}`,
  });
}

/** The quotas. @throws ServiceError `server` if the quota of one of `kinds` is unreadable */
export function readableQuotas({ record, unread }: QuotaAnswer, kinds: readonly string[]): QuotaRecord {
  const lacking = kinds.filter((kind) => Object.hasOwn(unread, kind));
  if (lacking.length > 0) throw unreadError(lacking);
  return record;
}

function unreadError(kinds: readonly string[]): ServiceError {
  const message = `the quota of ${kinds.join(', ')} cannot be read: its figures are missing, or not whole numbers`;
  return new ServiceError('server', message, seeForms);
}

const seeForms = { retryable: false, hint: unknownFormHint, next: probeCommand } as const;

/** @throws ResultError `threshold` if a quota has reached this percentage */
export function assertBelow(threshold: number | undefined, rows: readonly ShownRow[]): void {
  if (threshold === undefined) return;
  const over = rows
    .filter(isQuota)
    .filter(isLimited)
    .filter((row) => usagePercent(row) >= threshold);
  const fullest = over.reduce<(typeof over)[number] | undefined>(
    (most, row) => (most === undefined || usagePercent(row) > usagePercent(most) ? row : most),
    undefined,
  );
  if (fullest === undefined) return;
  const { kind, limit, used, profile } = fullest;
  const list = ['orgctl', kind, 'list', '--all', ...(profile === undefined ? [] : ['-p', profile])];
  throw new ResultError('threshold', `quotas at or over ${threshold}%: ${over.map(figures).join(', ')}`, {
    ...(isQuotaKind(kind) && { hint: 'list the fullest kind', next: list }),
    quota: { kind, limit, used },
  });
}

function figures({ profile, kind, used, limit }: QuotaRow): string {
  return `${profile === undefined ? '' : `${profile}: `}${kind} ${used}/${limit}`;
}

/** @throws ResultError `partial` if a profile failed */
export function assertComplete(rows: readonly ShownRow[]): void {
  const failed = rows.flatMap((row) => (isQuota(row) ? [] : [row.profile]));
  const [first] = failed;
  if (first === undefined) return;
  const count = new Set(rows.map(({ profile }) => profile)).size;
  const what = `${failed.length} of ${countNoun(count, 'profile')} could not be read: ${failed.join(', ')}`;
  throw new ResultError('partial', what, {
    hint: 'look for the cause',
    next: ['orgctl', 'doctor', '--profile', first],
  });
}
