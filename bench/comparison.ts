import { type Figure, figureOf, inTurn } from './figures.js';

/** What one figure was measured against, and what it should reach. */
export interface Comparison {
  readonly name: string;
  /** Undefined where it could not be measured; the note says why. */
  readonly figure: Figure | undefined;
  /** Of the figures; milliseconds unless said otherwise, MB being 2^20 bytes. */
  readonly unit?: 'ms' | 'MB' | '/s' | undefined;
  readonly baseline?: Baseline | undefined;
  /** Of the ratio where there is a baseline, else of the figure. */
  readonly target?: number | undefined;
  /** Which side of the target is the good one; `at most` unless said otherwise. */
  readonly bound?: 'at most' | 'at least' | undefined;
  /** What a reader of the row must know. */
  readonly note?: string | undefined;
}

export interface Baseline {
  readonly name: string;
  readonly figure: Figure;
  /** Of the rounds' own ratios. */
  readonly ratio: Figure;
}

export type Measure = () => Promise<number>;

type Rest = Omit<Comparison, 'name' | 'figure' | 'baseline'>;

/** What was measured for itself. */
export function row(name: string, values: readonly number[], rest: Rest = {}): Comparison {
  return { name, figure: figureOf(values), ...rest };
}

/** What was measured in the same rounds as something else. */
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

/** Measures both in turn. */
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
 * Whether the target is met, as the median says. Where it is not, but by a part of the middle half it is, another run could
 * say otherwise. Undefined where there is no target, or nothing was measured.
 */
function verdict({ figure, baseline, target, bound }: Comparison): string | undefined {
  const judged = baseline?.ratio ?? figure;
  if (target === undefined || judged === undefined) return undefined;
  const isGood = (value: number) => (bound === 'at least' ? value >= target : value <= target);
  if (isGood(judged.median)) return 'met';
  return isGood(judged.low) || isGood(judged.high) ? 'too noisy' : 'MISSED';
}

/** One line a comparison: figures with the middle half of them, target, whether it is met, and the notes below. */
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
