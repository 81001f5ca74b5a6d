import type { Context } from '../../context.js';
import type { QuotaRecord } from '../../contract/quota.js';
import { UsageError } from '../../errors.js';
import { type ResolvedSettings, resolve } from '../../profiles/resolve.js';
import type { Flags } from '../../profiles/settings.js';
import { type QuotaRow, type Row, type ShownColumns, usagePercent } from './view.js';

/** What was read at one moment. */
export interface Reading {
  /** The reading as JSON has it. */
  readonly value: unknown;
  readonly rows: readonly Row[];
  /** The columns that these rows need beside those of every quota. */
  readonly columns: ShownColumns;
}

/** Where quotas are read, again and again. */
export interface QuotaSource {
  read(): Promise<Reading>;
  /** The columns that any of its readings may need. */
  readonly columns: ShownColumns;
}

/** The quotas of the effective settings, with other flags than were typed where they are given. Its JSON is the quota record, keyed by kind (contract, section 1, "Output"). */
export async function oneService(
  kind: string | undefined,
  flags: Flags | undefined,
  context: Pick<Context, 'api' | 'apiFor' | 'profiles' | 'system'>,
): Promise<QuotaSource> {
  const { quotas } = await (flags === undefined ? context.api() : context.apiFor(withFlags(flags, context)));
  return {
    columns: {},
    read: async () => {
      const record = onlyKind(await quotas.read(), kind);
      return { value: record, rows: fullestFirst(record), columns: {} };
    },
  };
}

function withFlags(
  flags: Flags,
  { profiles, system }: Pick<Context, 'profiles' | 'system'>,
): ResolvedSettings {
  const { env, platform, stderr } = system;
  return resolve({ flags, env, platform, store: profiles(), stderr });
}

/** The rows of a quota record, the fullest kind first; equally full ones by name. */
export function fullestFirst(record: QuotaRecord): QuotaRow[] {
  return Object.entries(record)
    .map(([kind, quota]) => ({ kind, ...withoutKind(quota) }))
    .sort((a, b) => order(usagePercent(b), usagePercent(a)) || order(a.kind, b.kind));
}

// What the service may call "kind" one day must not take the place of the key.
function withoutKind({ kind: _kind, ...quota }: QuotaRecord[string]): QuotaRecord[string] {
  return quota;
}

// Not the difference: that of two infinities is no number.
function order<Value extends number | string>(a: Value, b: Value): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** @throws UsageError when there is none of that kind; which there are, only the service knows */
export function onlyKind(record: QuotaRecord, kind: string | undefined): QuotaRecord {
  if (kind === undefined) return record;
  const quota = Object.hasOwn(record, kind) ? record[kind] : undefined;
  if (quota !== undefined) return { [kind]: quota };
  const kinds = Object.keys(record).join(', ');
  throw new UsageError(`--kind ${kind}: the service has no quota of that kind`, {
    hint: kinds === '' ? 'it reports no quotas at all' : `the kinds are ${kinds}`,
  });
}
