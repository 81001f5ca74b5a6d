/**
 * Milliseconds of CPU. Less is not compared: one garbage collection would decide. Quadratic work that matters is above
 * it at the longest text.
 */
const tooLittle = 100;

/** Maximum growth for twice the text: linear work doubles, quadratic work quadruples. */
const maxGrowth = 3;

/** Repeated, because a process does other work, too. */
const rounds = 3;

/** Half the longest text in characters, by default the maximum of all request headers. */
const usualLength = 16_384;

/** A complaint if twice the text costs far more CPU. Tries short texts first, where quadratic work already shows. */
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
    // The cheapest run has the least noise.
    small = Math.min(small, await cpuOf(() => work(half)));
    large = Math.min(large, await cpuOf(() => work(whole)));
  }
  if (large < tooLittle || large < maxGrowth * small) return undefined;
  return `${small.toFixed(1)} ms of CPU at ${half.length} characters, ${large.toFixed(1)} at ${whole.length}`;
}

/** Milliseconds of CPU; errors do not matter here. */
async function cpuOf(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  try {
    await work();
  } catch {
    // A refusal counts as a result.
  }
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
