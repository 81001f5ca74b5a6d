/** Measured numbers by unit, such as `ms` and `MB`. */
export type Figures = Readonly<Record<string, number>>;
type Measure = () => Promise<Figures>;

/**
 * Measures `own` and `base` by turns, so that the machine's load affects both, and prints a row for each unit: the median,
 * and the median and middle half of the rounds' ratios. A first round, for warming up, is dropped.
 * @param usual number of rounds, unless the command line says another, as in `npm run bench:lists -- 3`
 */
export async function compare(usual: number, name: string, own: Measure, baseline: string, base: Measure) {
  const [owns, bases]: [Figures[], Figures[]] = [[], []];
  for (let round = 0; round <= Number(process.argv[2] ?? usual); round += 1) {
    if (round % 2 === 0) bases.push(await base());
    owns.push(await own());
    if (round % 2 === 1) bases.push(await base());
  }
  for (const unit in owns[0]) {
    if (bases[0]?.[unit] === undefined) continue;
    const of = (all: readonly Figures[]) => all.slice(1).map((figures) => figures[unit] ?? Number.NaN);
    const ratios = of(owns).map((value, round) => value / (of(bases)[round] ?? Number.NaN));
    const [low, ratio, high] = [0.25, 0.5, 0.75].map((part) => quantile(ratios, part).toFixed(2));
    const figure = (all: readonly Figures[]) => `${Number(quantile(of(all), 0.5).toPrecision(3))} ${unit}`;
    const versus = `${ratio} (${low}–${high}) times ${figure(bases)} of ${baseline}`;
    console.log(`${name.padEnd(31)} ${figure(owns).padEnd(14)} ${versus}`);
  }
}

function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.floor(part * sorted.length)] ?? Number.NaN;
}
