/** Summary of several measurements: the median, and the bounds of the middle half. */
export interface Figure {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function figureOf(values: readonly number[]): Figure {
  return { median: quantile(values, 0.5), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

/** Interpolates linearly between two values. @param part from 0 to 1 */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (sorted.length - 1) * part;
  const [low = Number.NaN, high = low] = sorted.slice(Math.floor(at), Math.floor(at) + 2);
  return low + (high - low) * (at - Math.floor(at));
}

/** All results of one measure, in the order of the rounds. */
export type Results<Name, Result> = (name: Name) => readonly Result[];

/**
 * Runs all measures in each round, so that a change in the machine's load affects all of them; every second round in
 * reverse order, so that no measure always follows the same other one. An extra round for warming up does not count.
 */
export async function inTurn<Name extends string, Result>(
  rounds: number,
  measures: Readonly<Record<Name, () => Promise<Result>>>,
): Promise<Results<Name, Result>> {
  const entries = Object.entries<() => Promise<Result>>(measures);
  const results = new Map(entries.map(([name]): [string, Result[]] => [name, []]));
  for (const [, measure] of entries) await measure();
  for (let round = 0; round < rounds; round += 1) {
    const order = round % 2 === 0 ? entries : entries.toReversed();
    for (const [name, measure] of order) results.get(name)?.push(await measure());
  }
  return (name) => results.get(name) ?? [];
}
