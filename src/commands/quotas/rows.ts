import type { Quota, QuotaRecord } from '../../api/quota.js';
import type { ErrorReport } from '../../cli/error-report.js';
import type { TableView, View } from '../../terminal/formats/columns.js';

/** One kind's quota as shown. Without a limit, `limit` and `remaining` are null. */
interface ShownQuota extends Omit<Quota, 'limit' | 'remaining'> {
  readonly used: number;
  readonly limit: number | null;
  readonly remaining: number | null;
}

/** `profile` is set if several profiles are shown. */
export interface QuotaRow extends ShownQuota {
  readonly profile?: string;
  readonly kind: string;
}

interface FailedRow {
  readonly profile: string;
  readonly error: Pick<ErrorReport, 'code' | 'message' | 'exitCode' | 'status'>;
}

export type ShownRow = QuotaRow | FailedRow;

export function isQuota(row: ShownRow): row is QuotaRow {
  return 'kind' in row;
}

export function isLimited<Shown extends Pick<ShownQuota, 'limit'>>(
  quota: Shown,
): quota is Shown & { readonly limit: number } {
  return quota.limit !== null;
}

/** Usage in percent, not rounded; 0 without a limit. If the limit is 0: `Infinity` if anything is used, else 100. */
export function usagePercent(quota: Pick<ShownQuota, 'limit' | 'used'>): number {
  if (!isLimited(quota)) return 0;
  const { limit, used } = quota;
  // Multiplied first: 29 / 100 * 100 is less than 29.
  if (limit > 0) return (used * 100) / limit;
  return used > 0 ? Number.POSITIVE_INFINITY : 100;
}

export function fullestFirst(record: QuotaRecord): QuotaRow[] {
  return Object.entries(record)
    .map(([kind, quota]) => Object.assign({ kind }, showUnlimited(quota), { kind }))
    .sort(byUsage);
}

/** A quota with null as limit if it is unlimited, whatever the service has there. */
export function showUnlimited(quota: Quota): ShownQuota {
  return Number.isFinite(quota.limit) ? quota : { ...quota, limit: null, remaining: null };
}

export function byUsage(a: QuotaRow, b: QuotaRow): number {
  const [one, other] = [usagePercent(a), usagePercent(b)];
  // The difference of two infinities is NaN.
  if (one === other) return a.kind < b.kind ? -1 : 1;
  return one < other ? 1 : -1;
}

const barWidth = 20;

/** A bar and a percentage, rounded down, so that a quota with room never reads 100%. A narrow column omits the bar. */
function usageBar(quota: Pick<ShownQuota, 'limit' | 'used'>, columns = Number.POSITIVE_INFINITY): string {
  const percent = usagePercent(quota);
  const figure = (Number.isFinite(percent) ? `${Math.floor(percent)}%` : 'over').padStart(4);
  const length = Math.min(barWidth, columns - figure.length - 1);
  if (length < 1) return figure.padStart(Math.min(columns, figure.length + 1));
  const filled = Math.max(0, Math.min(length, Math.floor((percent * length) / 100)));
  return `${'█'.repeat(filled)}${'░'.repeat(length - filled)} ${figure}`;
}

/** @param isRead whether a table without rows means that there are no quotas */
export function quotaView<Shown extends ShownRow>(
  shown: { readonly time?: boolean; readonly profile?: boolean; readonly error?: boolean } = {},
  isRead = true,
): View<Shown> {
  const columns: TableView<ShownRow>[] = [
    ...(shown.time ? [{ header: 'TIME', value: 'time', rank: 6 }] : []),
    ...(shown.profile ? [{ header: 'PROFILE', value: 'profile', rank: 0 }] : []),
    { header: 'KIND', value: 'kind', rank: 0 },
    figureColumn('limit', 3),
    { header: 'USED', value: 'used', align: 'right', rank: 4 },
    figureColumn('remaining', 5),
    usageColumn,
    ...(shown.error ? [errorColumn] : []),
  ];
  return { columns, ...(isRead && { empty: 'the service reports no quotas' }) };
}

function figureColumn(name: 'limit' | 'remaining', rank: number): TableView<ShownRow> {
  const data = (row: ShownRow) => (isQuota(row) ? row[name] : undefined);
  const value = (row: ShownRow) => (isQuota(row) && !isLimited(row) ? 'unlimited' : data(row));
  return { header: name.toUpperCase(), value, data, align: 'right', rank };
}

function hasLimit(row: ShownRow): row is QuotaRow {
  return isQuota(row) && isLimited(row);
}

const usageColumn: TableView<ShownRow> = {
  header: 'USAGE',
  // Derived from the other columns, so dropped first.
  rank: 7,
  value: (row) => (hasLimit(row) ? usageBar(row) : undefined),
  data: (row) => {
    const percent = hasLimit(row) ? usagePercent(row) : Number.NaN;
    return Number.isFinite(percent) ? Math.floor(percent) : undefined;
  },
  within: (row, columns) => (hasLimit(row) ? usageBar(row, columns) : '-'),
  style: (text, row, chalk) => {
    const percent = isQuota(row) ? usagePercent(row) : 0;
    if (percent >= 100) return chalk.red(text);
    return percent >= 80 ? chalk.yellow(text) : chalk.green(text);
  },
};

// The code comes first, to stay visible on a narrow terminal.
const errorColumn: TableView<ShownRow> = {
  header: 'ERROR',
  rank: 2,
  value: (row) => (isQuota(row) ? undefined : `${row.error.code}: ${row.error.message}`),
  style: (text, _row, chalk) => chalk.red(text),
};
