import type { Quota } from '../../contract/quota.js';
import type { View } from '../../terminal/printer.js';

/** One kind's quota as a table shows it. */
export interface QuotaRow extends Quota {
  readonly kind: string;
}

const barWidth = 20;

/**
 * How full a quota is, in percent, not rounded. A limit of 0 is full: nothing more can be created; over the limit is
 * more than 100.
 */
export function usagePercent({ limit, used }: Pick<Quota, 'limit' | 'used'>): number {
  return limit <= 0 ? 100 : (used / limit) * 100;
}

/** A bar and a percent, such as `██████░░░░░░░░░░░░░░  30%`; rounded down, so that only a full quota reads 100%. */
export function usageBar(quota: Pick<Quota, 'limit' | 'used'>): string {
  const percent = usagePercent(quota);
  const filled = Math.min(barWidth, Math.floor((percent / 100) * barWidth));
  return `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)} ${String(Math.floor(percent)).padStart(3)}%`;
}

export const quotaView: View<QuotaRow> = {
  columns: [
    { header: 'KIND', value: 'kind' },
    { header: 'LIMIT', value: 'limit', align: 'right' },
    { header: 'USED', value: 'used', align: 'right' },
    { header: 'REMAINING', value: 'remaining', align: 'right' },
    {
      header: 'USAGE',
      value: usageBar,
      style: (text, row, chalk) => {
        const percent = usagePercent(row);
        if (percent >= 100) return chalk.red(text);
        return percent >= 80 ? chalk.yellow(text) : chalk.green(text);
      },
    },
  ],
  empty: 'the service reports no quotas',
};
