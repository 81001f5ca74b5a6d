/** Milliseconds of CPU below which nothing is compared: at this size a clock measures itself. */
const tooLittle = 20;

/** How much twice the text may cost: two for linear work and four for quadratic. */
const mostGrowth = 3;

/** How often both texts are measured before there is an answer: what else a process does is counted too. */
const rounds = 3;

/** Characters of the longest text, halved, unless said otherwise: as long as all headers of a request may be. */
const usualLength = 16_384;

/**
 * What is wrong with work on text that a stranger chooses: `undefined` when twice the text costs about twice as much. CPU
 * is compared, not time. Shorter texts are tried first, for what is quadratic shows there, in a fraction of the time.
 */
export async function growthComplaint(
  work: (text: string) => unknown,
  shape: (length: number) => string,
  length = usualLength,
): Promise<string | undefined> {
  for (const part of [length / 8, length / 4, length / 2, length]) {
    const texts = [shape(part), shape(2 * part)] as const;
    const complaint = await complaintAbout(work, texts);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

async function complaintAbout(
  work: (text: string) => unknown,
  [half, whole]: readonly [string, string],
): Promise<string | undefined> {
  let [small, large] = [Number.POSITIVE_INFINITY, await cpuOf(() => work(whole))];
  if (large < tooLittle) return undefined;
  for (let round = 0; round < rounds; round++) {
    // Work is never cheaper than it is: of all runs the cheapest tells most.
    small = Math.min(small, await cpuOf(() => work(half)));
    large = Math.min(large, await cpuOf(() => work(whole)));
  }
  if (large < tooLittle || large < mostGrowth * small) return undefined;
  return `${small.toFixed(1)} ms of CPU at ${half.length} characters, ${large.toFixed(1)} at ${whole.length}`;
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
