import type { QuotaRecord } from '../../api/quota.js';
import { isQuotaKind } from '../../api/resources/index.js';
import type { Context } from '../../cli/context.js';
import type { QuotaAnswer } from '../../client/quota-record.js';
import { probeCommand, unknownFormHint } from '../../errors/advice.js';
import { ResultError, ServiceError, UsageError } from '../../errors/errors.js';
import { type ResolvedSettings, resolve } from '../../profiles/resolve.js';
import type { Flags } from '../../profiles/settings/settings.js';
import { countNoun } from '../../text/count-noun.js';
import {
  isLimited,
  isQuota,
  type QuotaRow,
  type ShownColumns,
  type ShownQuota,
  type ShownRow,
  usagePercent,
} from './view.js';

export interface QuotaReading {
  readonly value: unknown;
  readonly rows: readonly ShownRow[];
  readonly columns: ShownColumns;
  /** The error for unreadable or missing quotas. */
  readonly unread?: ServiceError | undefined;
}

export interface QuotaSource {
  read(): Promise<QuotaReading>;
  readonly columns: ShownColumns;
}

/** Quotas of the service in the effective settings or in `flags`. As JSON: the quota record, keyed by kind. */
export async function oneService(
  kind: string | undefined,
  flags: Flags | undefined,
  context: Pick<Context, 'api' | 'apiFor' | 'profiles' | 'system' | 'signal'>,
): Promise<QuotaSource> {
  const { quotas } = await (flags === undefined ? context.api() : context.apiFor(withFlags(flags, context)));
  return {
    columns: {},
    read: async () => {
      const { shown, read, unread } = chooseQuotas(await quotas.readAnswer(), kind);
      return { value: shown, rows: fullestFirst(read), columns: {}, unread };
    },
  };
}

export type ShownQuotas = Readonly<Record<string, ShownQuota>>;

interface ChosenQuotas extends Pick<QuotaReading, 'unread'> {
  readonly read: ShownQuotas;
  /** For JSON; includes unreadable quotas as the service returned them. */
  readonly shown: Readonly<Record<string, unknown>>;
}

/** All quotas, or the quota of one kind. @throws UsageError as `onlyKind` */
export function chooseQuotas(
  { record, unread, unlimited, misfit, isPartial }: QuotaAnswer,
  kind: string | undefined,
): ChosenQuotas {
  const isUnread = kind !== undefined && Object.hasOwn(unread, kind);
  if (isPartial && kind !== undefined && !isUnread && !Object.hasOwn(record, kind)) {
    return { read: {}, shown: {}, unread: partialError() };
  }
  if (misfit !== undefined && !isUnread) return { read: {}, shown: { ...unread }, unread: misfit };
  const kinds = isUnread ? [kind] : kind === undefined ? Object.keys(unread) : [];
  const read = isUnread ? {} : toShown(onlyKind(record, kind), unlimited);
  const others = Object.fromEntries(kinds.map((one) => [one, unread[one]]));
  return {
    read,
    shown: { ...read, ...others },
    ...(isPartial && kind === undefined && { unread: partialError() }),
    ...(kinds.length > 0 && { unread: unreadError(kinds) }),
  };
}

/** The quotas. @throws ServiceError `server` if the quota of one of `kinds` is unreadable or may be on another page */
export function readableQuotas(
  { record, unread, isPartial }: QuotaAnswer,
  kinds: readonly string[],
): QuotaRecord {
  if (isPartial && kinds.some((kind) => !Object.hasOwn(record, kind))) throw partialError();
  const lacking = kinds.filter((kind) => Object.hasOwn(unread, kind));
  if (lacking.length > 0) throw unreadError(lacking);
  return record;
}

function unreadError(kinds: readonly string[]): ServiceError {
  const message = `the quota of ${kinds.join(', ')} cannot be read: its figures are missing, contradictory, or not whole numbers`;
  return new ServiceError('server', message, seeAnswer);
}

function partialError(): ServiceError {
  return new ServiceError(
    'server',
    'the quotas are incomplete: the service has more pages of them',
    seeAnswer,
  );
}

const seeAnswer = {
  retryable: false,
  hint: unknownFormHint,
  next: probeCommand,
} as const;

function withFlags(
  flags: Flags,
  { profiles, system, signal }: Pick<Context, 'profiles' | 'system' | 'signal'>,
): ResolvedSettings {
  const { env, platform, stderr } = system;
  return resolve({ flags, env, platform, store: profiles(), stderr, signal });
}

function toShown(record: QuotaRecord, unlimited: QuotaAnswer['unlimited']): ShownQuotas {
  return Object.fromEntries(
    Object.entries(record).map(([kind, quota]) => [kind, { ...quota, ...unlimited[kind] }]),
  );
}

/** A row for each kind: fullest first, equally full ones by name. */
export function fullestFirst(quotas: ShownQuotas): QuotaRow[] {
  return Object.entries(quotas)
    .map(([kind, quota]) => ({ kind, ...withoutKind(quota) }))
    .sort((a, b) => order(usagePercent(b), usagePercent(a)) || order(a.kind, b.kind));
}

// If the service adds a field "kind", it must not replace the key.
function withoutKind({ kind: _kind, ...quota }: ShownQuota & { readonly kind?: unknown }): ShownQuota {
  return quota;
}

// The difference of two infinities is NaN.
function order<Value extends number | string>(a: Value, b: Value): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** @throws UsageError for an unknown kind; only the service knows all kinds */
function onlyKind(record: QuotaRecord, kind: string | undefined): QuotaRecord {
  if (kind === undefined) return record;
  const quota = Object.hasOwn(record, kind) ? record[kind] : undefined;
  if (quota !== undefined) return { [kind]: quota };
  const kinds = Object.keys(record).join(', ');
  throw new UsageError(`--kind ${kind}: the service has no quota for this kind`, {
    hint: kinds === '' ? 'it reports no quotas at all' : `the kinds are ${kinds}`,
  });
}

/** Parses the percentage of `--fail-over`. @throws UsageError */
export function parseThreshold(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}(\.\d{1,9})?%?$/.test(text)) return Number.parseFloat(text);
  throw new UsageError(`--fail-over ${text}: not a percentage`, { hint: 'for example --fail-over 90' });
}

export function assertBelow(threshold: number | undefined, { rows }: QuotaReading): void {
  if (threshold === undefined) return;
  const over = rows
    .filter(isQuota)
    .filter(isLimited)
    .filter((row) => usagePercent(row) >= threshold);
  const [fullest] = over.toSorted((a, b) => order(usagePercent(b), usagePercent(a)));
  if (fullest === undefined) return;
  const { kind, limit, used } = fullest;
  throw new ResultError('threshold', `quotas at or over ${threshold}%: ${over.map(figures).join(', ')}`, {
    ...(isQuotaKind(kind) && { hint: 'list the fullest kind', next: listCommand(fullest) }),
    quota: { kind, limit, used },
  });
}

function listCommand({ kind, profile }: QuotaRow): readonly string[] {
  return ['orgctl', kind, 'list', '--all', ...(profile === undefined ? [] : ['-p', profile])];
}

function figures({ profile, kind, used, limit }: QuotaRow): string {
  return `${profile === undefined ? '' : `${profile}: `}${kind} ${used}/${limit}`;
}

/** @throws ServiceError `server` if some quotas could not be read, and no others were read or all are needed */
export function assertReadable({ rows, unread }: QuotaReading, areAllWanted: boolean): void {
  if (unread !== undefined && (areAllWanted || !rows.some(isQuota))) throw unread;
}

export function assertComplete({ rows }: QuotaReading): void {
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
