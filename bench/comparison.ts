import { type Figure, figureOf, inTurn } from './figures.js';

/** A figure, with its baseline and target. */
export interface Comparison {
  readonly name: string;
  /** `undefined` if it could not be measured; the note says why. */
  readonly figure: Figure | undefined;
  /** Unit of the figures; default: `ms`. MB are 2^20 bytes. */
  readonly unit?: 'ms' | 'MB' | '/s' | undefined;
  readonly baseline?: Baseline | undefined;
  /** Target for the ratio if there is a baseline, otherwise for the figure. */
  readonly target?: number | undefined;
  /** Whether the target is a maximum or a minimum; default: `at most`. */
  readonly bound?: 'at most' | 'at least' | undefined;
  readonly note?: string | undefined;
}

export interface Baseline {
  readonly name: string;
  readonly figure: Figure;
  /** Summary of the ratios of single rounds. */
  readonly ratio: Figure;
}

export type Measure = () => Promise<number>;

type Rest = Omit<Comparison, 'name' | 'figure' | 'baseline'>;

/** A comparison without a baseline. */
export function row(name: string, values: readonly number[], rest: Rest = {}): Comparison {
  return { name, figure: figureOf(values), ...rest };
}

/** A comparison with a baseline that was measured in the same rounds. */
export function against(
  name: string,
  values: readonly number[],
  other: { readonly name: string; readonly values: readonly number[] },
  rest: Rest = {},
): Comparison {
  const ratio = figureOf(values.map((value, round) => value / (other.values[round] ?? Number.NaN)));
  return {
    ...row(name, values, rest),
    baseline: { name: other.name, figure: figureOf(other.values), ratio },
  };
}

/** Measures a figure and its baseline in turn. */
export async function compare(
  name: string,
  measure: Measure,
  other: { readonly name: string; readonly measure: Measure },
  { pairs, ...rest }: { readonly pairs: number } & Rest,
): Promise<Comparison> {
  const of = await inTurn(pairs, { own: measure, other: other.measure });
  return against(name, of('own'), { name: other.name, values: of('other') }, rest);
}

/**
 * Whether the median meets the target. `too noisy` if only a part of the middle half does: another run could differ.
 * `undefined` without a target or a measurement.
 */
function verdict({ figure, baseline, target, bound }: Comparison): string | undefined {
  const judged = baseline?.ratio ?? figure;
  if (target === undefined || judged === undefined) return undefined;
  const isGood = (value: number) => (bound === 'at least' ? value >= target : value <= target);
  if (isGood(judged.median)) return 'met';
  return isGood(judged.low) || isGood(judged.high) ? 'too noisy' : 'MISSED';
}

/** One line for each comparison: median and middle half, baseline, target and verdict. The notes follow the table. */
export function toTable(comparisons: readonly Comparison[]): string {
  const rows = [['measured', 'median', 'baseline', '', 'ratio', 'target', ''], ...comparisons.map(toRow)];
  const widths = rows[0]?.map((_, column) => Math.max(...rows.map((cells) => cells[column]?.length ?? 0)));
  const lines = rows.map((cells) =>
    cells
      .map((cell, column) => cell.padEnd(widths?.[column] ?? 0))
      .join('  ')
      .trimEnd(),
  );
  const notes = comparisons.flatMap(({ name, note }) => (note === undefined ? [] : [`${name}: ${note}`]));
  return [...lines, ...notes].join('\n');
}

function toRow(comparison: Comparison): string[] {
  const { name, figure, unit = 'ms', baseline, target, bound } = comparison;
  const goal = `${bound === 'at least' ? '>=' : '<='} ${target}${baseline === undefined ? ` ${unit}` : '×'}`;
  return [
    name,
    figure === undefined ? 'not measured' : textOf(figure, 1, ` ${unit}`),
    baseline === undefined ? '' : `${baseline.figure.median.toFixed(1)} ${unit}`,
    baseline?.name ?? '',
    baseline === undefined ? '' : textOf(baseline.ratio, 2, '×'),
    target === undefined ? '' : goal,
    verdict(comparison) ?? '',
  ];
}

function textOf({ median, low, high }: Figure, digits: number, unit: string): string {
  return `${median.toFixed(digits)}${unit} (${low.toFixed(digits)}–${high.toFixed(digits)})`;
}
