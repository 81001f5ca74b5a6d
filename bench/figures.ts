/** What several measurements of one thing say: the median, and between what the middle half of them lies. */
export interface Figure {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

export function figureOf(values: readonly number[]): Figure {
  return { median: quantile(values, 0.5), low: quantile(values, 0.25), high: quantile(values, 0.75) };
}

/** Between two values where it falls between them. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  const at = (sorted.length - 1) * part;
  const [low = Number.NaN, high = low] = sorted.slice(Math.floor(at), Math.floor(at) + 2);
  return low + (high - low) * (at - Math.floor(at));
}

/** The results of each thing that was measured, in the order of the rounds. */
export type Results<Name, Result> = (name: Name) => readonly Result[];

/**
 * Measures several things in turn, round after round, so that a change in the machine's load falls on all of them; every
 * second round in the opposite order, so that none always comes after the same other one. A round before the first warms
 * what can be warmed, and does not count.
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
