import { isQuotaKind } from '../../contract/resources/index.js';
import { ResultError, UsageError } from '../../errors.js';
import type { Reading } from './reading.js';
import { isQuota, type QuotaRow, usagePercent } from './view.js';

/** The percent of `--fail-over`. @throws UsageError for what is none */
export function parseThreshold(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  if (/^\d{1,9}(\.\d{1,9})?%?$/.test(text)) return Number.parseFloat(text);
  throw new UsageError(`--fail-over ${text}: not a percentage`, { hint: 'for example --fail-over 90' });
}

/** @throws ResultError `threshold` when a kind is at or over that many percent */
export function assertBelow(threshold: number | undefined, { rows }: Reading): void {
  if (threshold === undefined) return;
  const over = rows.filter(isQuota).filter((row) => usagePercent(row) >= threshold);
  const [first] = over;
  if (first === undefined) return;
  const { kind, limit, used } = first;
  throw new ResultError('threshold', `at or over ${threshold}%: ${over.map(figures).join(', ')}`, {
    hint: isQuotaKind(kind) ? `see what there is: orgctl ${kind} list --all` : undefined,
    quota: { kind, limit, used },
  });
}

function figures({ profile, kind, used, limit }: QuotaRow): string {
  return `${profile === undefined ? '' : `${profile}: `}${kind} ${used}/${limit}`;
}

/** @throws ResultError `partial` when some profiles could not be read */
export function assertComplete({ rows }: Reading): void {
  const failed = rows.flatMap((row) => (isQuota(row) ? [] : [row.profile]));
  const [first] = failed;
  if (first === undefined) return;
  throw new ResultError('partial', `not all profiles could be read: ${failed.join(', ')}`, {
    hint: `look for the cause: orgctl doctor --profile ${first}`,
  });
}
