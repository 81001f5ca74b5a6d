import type { Command } from '@commander-js/extra-typings';
import type { Context } from '../../context.js';
import type { QuotaRecord } from '../../contract/quota.js';
import { ResultError, UsageError } from '../../errors.js';
import { withExamples } from '../help-text.js';
import { type QuotaRow, quotaView, usagePercent } from './view.js';

export interface QuotasOptions {
  readonly kind?: string | undefined;
  readonly failOver?: string | undefined;
}

/** `orgctl quotas`: `GET /quotas` (reference, section 4). */
export function quotas(command: Command, context: Context, run = showQuotas): void {
  withExamples(
    command
      .description('Show limit, use and remaining of each kind, the fullest first.')
      .option('--kind <kind>', 'show one kind alone: api-keys, connections, teams')
      .option('--fail-over <percent>', 'exit 13 when any shown kind is at or over it'),
    [
      ['orgctl quotas', 'a table, the fullest kind first'],
      ['orgctl quotas --kind connections --fail-over 90', 'let a job fail before the quota does'],
      ["orgctl quotas -o json --query 'connections.remaining'", 'one figure for a script'],
    ],
  ).action((options) => run(options, context));
}

export async function showQuotas(
  options: QuotasOptions,
  context: Pick<Context, 'api' | 'printer'>,
): Promise<void> {
  const threshold = parseThreshold(options.failOver);
  const printer = await context.printer();
  const api = await context.api();
  const record = onlyKind(await api.quotas.read(), options.kind);
  const rows = fullestFirst(record);
  await printer.value(record, rows, quotaView);
  const over = rows.filter((row) => threshold !== undefined && usagePercent(row) >= threshold);
  if (over.length === 0) return;
  const kinds = over.map((row) => `${row.kind} ${row.used}/${row.limit}`).join(', ');
  throw new ResultError('threshold', `at or over ${threshold}%: ${kinds}`);
}

/** The rows of a quota record, the fullest kind first; equally full ones by name. */
export function fullestFirst(record: QuotaRecord): QuotaRow[] {
  return Object.entries(record)
    .map(([kind, quota]) => ({ ...quota, kind }))
    .sort((a, b) => usagePercent(b) - usagePercent(a) || a.kind.localeCompare(b.kind));
}

function onlyKind(record: QuotaRecord, kind: string | undefined): QuotaRecord {
  if (kind === undefined) return record;
  const quota = Object.hasOwn(record, kind) ? record[kind] : undefined;
  if (quota !== undefined) return { [kind]: quota };
  throw new UsageError(`--kind ${kind}: the service has no quota of that kind`, {
    hint: `the kinds are ${Object.keys(record).join(', ')}`,
  });
}

function parseThreshold(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const percent = Number(text.replace(/%$/, ''));
  if (/^\d+(\.\d+)?%?$/.test(text)) return percent;
  throw new UsageError(`--fail-over ${text}: not a percentage`, { hint: 'for example --fail-over 90' });
}
