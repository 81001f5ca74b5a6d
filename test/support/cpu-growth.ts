/** Milliseconds of CPU below which nothing is compared: at this size a clock measures itself. */
const tooLittle = 20;

/** How much twice the text may cost: two for linear work and four for quadratic, with room for a busy machine. */
const mostGrowth = 3.2;

/** Characters of the shorter text unless said otherwise: as long as all headers of a request may be. */
const usualLength = 16_384;

/**
 * What is wrong with work on text that a stranger chooses: `undefined` when twice the text costs about twice as much. CPU
 * is compared, not time, and of several runs the cheapest.
 */
export async function growthComplaint(
  work: (text: string) => unknown,
  shape: (length: number) => string,
  length = usualLength,
): Promise<string | undefined> {
  const [half, whole] = [shape(length), shape(2 * length)];
  if ((await cpuOf(() => work(whole))) < tooLittle) return undefined;
  const cheapest = async (text: string) =>
    Math.min(await cpuOf(() => work(text)), await cpuOf(() => work(text)));
  const [small, large] = [await cheapest(half), await cheapest(whole)];
  return large < tooLittle || large < mostGrowth * small
    ? undefined
    : `${small.toFixed(1)} ms of CPU at ${half.length} characters, ${large.toFixed(1)} at ${whole.length}`;
}

/** Milliseconds of CPU that work takes; what it throws does not matter here. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  try {
    await work();
  } catch {
    // Refusing is an answer like any other.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
