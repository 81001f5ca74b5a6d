/** What one figure was measured against, and what it should reach. */
export interface Comparison {
  readonly name: string;
  /** Undefined where it could not be measured; the note says why. */
  readonly median: number | undefined;
  /** Of the medians; milliseconds unless said otherwise, MB being 2^20 bytes. */
  readonly unit?: 'ms' | 'MB' | '/s' | undefined;
  readonly baseline?: Baseline | undefined;
  /** Of the ratio where there is a baseline, else of the median. */
  readonly target?: number | undefined;
  /** Which side of the target is the good one; `at most` unless said otherwise. */
  readonly bound?: 'at most' | 'at least' | undefined;
  /** What a reader of the row must know. */
  readonly note?: string | undefined;
}

export interface Baseline {
  readonly name: string;
  readonly median: number;
  readonly ratio: number;
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

/** Whether the target is met; undefined where there is none, or nothing was measured. */
function isMet({ median, baseline, target, bound }: Comparison): boolean | undefined {
  const figure = baseline?.ratio ?? median;
  if (target === undefined || figure === undefined) return undefined;
  return bound === 'at least' ? figure >= target : figure <= target;
}

/** One line a comparison: figures, target, whether it is met, and the notes below. */
export function toTable(comparisons: readonly Comparison[]): string {
  const rows = [['measured', 'median', 'baseline', '', 'ratio', 'target', ''], ...comparisons.map(toRow)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0))) ?? [];
  const lines = rows.map((row) =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const notes = comparisons.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}`]));
  return [...lines, ...notes].join('\n');
}

function toRow(comparison: Comparison): string[] {
  const { name, median, unit = 'ms', baseline, target, bound } = comparison;
  const figure = (value: number | undefined) => (value === undefined ? '' : `${value.toFixed(1)} ${unit}`);
  const goal = `${bound === 'at least' ? '>=' : '<='} ${target}${baseline === undefined ? ` ${unit}` : '×'}`;
  const met = isMet(comparison);
  return [
    name,
    median === undefined ? 'not measured' : figure(median),
    figure(baseline?.median),
    baseline?.name ?? '',
    baseline === undefined ? '' : `${baseline.ratio.toFixed(2)}×`,
    target === undefined ? '' : goal,
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ];
}
