/**
 * Milliseconds of CPU. Less is not compared: one garbage collection would decide. Quadratic work that matters is above
 * it at the longest text.
 */
const tooLittle = 100;

/**
 * For texts of which one is four times as long: linear work takes 4 times as long, quadratic work 16 times. Collecting
 * garbage alone can make linear work of some 40 ms look three times as large for twice the text.
 */
const times = 4;
const maxGrowth = 9;

/** Repeated, because a process does other work, too: the cheapest run counts. */
const rounds = 3;

/** The maximum of all request headers, in characters. */
const usualLength = 32_768;

/** A complaint if a longer text costs far more CPU. Tries short texts first, where quadratic work already shows. */
export async function growthComplaint(
  work: (text: string) => unknown,
  shape: (length: number) => string,
  length = usualLength,
): Promise<string | undefined> {
  for (const longest of [length / 8, length / 4, length / 2, length]) {
    const texts = [shape(longest / times), shape(longest)] as const;
    const complaint = await complaintAbout(work, texts);
    if (complaint !== undefined) return complaint;
  }
  return undefined;
}

async function complaintAbout(
  work: (text: string) => unknown,
  [short, long]: readonly [string, string],
): Promise<string | undefined> {
  let [small, large] = [Number.POSITIVE_INFINITY, await cpuOf(() => work(long))];
  if (large < tooLittle) return undefined;
  for (let round = 0; round < rounds; round++) {
    small = Math.min(small, await cpuOf(() => work(short)));
    large = Math.min(large, await cpuOf(() => work(long)));
  }
  if (large < tooLittle || large < maxGrowth * small) return undefined;
  return `${small.toFixed(1)} ms of CPU at ${short.length} characters, ${large.toFixed(1)} at ${long.length}`;
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
