/** What one figure was measured against, and what it should reach. */
export interface Comparison {
  readonly name: string;
  /** Milliseconds, the median. */
  readonly median: number;
  readonly baseline?: { readonly name: string; readonly median: number; readonly ratio: number };
  /** At most this ratio where there is a baseline, else at most this many milliseconds. */
  readonly target?: number | undefined;
}

export type Measure = () => Promise<number>;

/**
 * Runs both in turn, so that a change in the machine's load falls on both, and compares their medians. One pair before
 * the first warms the file cache and does not count.
 */
export async function compare(
  name: string,
  measure: Measure,
  against: { readonly name: string; readonly measure: Measure },
  options: { readonly pairs: number; readonly target?: number },
): Promise<Comparison> {
  const own: number[] = [];
  const other: number[] = [];
  for (let pair = 0; pair <= options.pairs; pair += 1) {
    own.push(await measure());
    other.push(await against.measure());
  }
  const ownMedian = median(own.slice(1));
  const otherMedian = median(other.slice(1));
  const baseline = { name: against.name, median: otherMedian, ratio: ownMedian / otherMedian };
  return { name, median: ownMedian, baseline, target: options.target };
}

/** The median of single measurements, the first not counted. */
export async function repeat(
  name: string,
  measure: Measure,
  options: { readonly times: number; readonly target?: number },
): Promise<Comparison> {
  const times: number[] = [];
  for (let turn = 0; turn <= options.times; turn += 1) times.push(await measure());
  return { name, median: median(times.slice(1)), target: options.target };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const [low = Number.NaN, high = low] = sorted.slice((sorted.length - 1) >> 1, (sorted.length >> 1) + 1);
  return (low + high) / 2;
}

/** One line a comparison: figures, target, and whether it is met. */
export function toTable(comparisons: readonly Comparison[]): string {
  const rows = comparisons.map(({ name, median: own, baseline, target }) => {
    const figure = baseline === undefined ? own : baseline.ratio;
    const unit = baseline === undefined ? ' ms' : '×';
    return [
      name,
      `${own.toFixed(1)} ms`,
      baseline === undefined ? '' : `${baseline.median.toFixed(1)} ms`,
      baseline?.name ?? '',
      baseline === undefined ? '' : `${baseline.ratio.toFixed(2)}×`,
      target === undefined ? '' : `<= ${target}${unit}`,
      target === undefined ? '' : figure <= target ? 'met' : 'MISSED',
    ];
  });
  const all = [['measured', 'median', 'baseline', '', 'ratio', 'target', ''], ...rows];
  const widths = all[0]?.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0))) ?? [];
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
