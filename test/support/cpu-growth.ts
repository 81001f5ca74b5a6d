/**
 * Milliseconds of CPU time. Less is not compared, because one garbage collection could decide. At the longest text,
 * quadratic work that matters takes more.
 */
const tooLittle = 100;

/**
 * For a text that is 4 times as long, linear work takes 4 times as long, and quadratic work 16 times. The limit is
 * between them, because garbage collection can make linear work look slower.
 */
const times = 4;
const maxGrowth = 9;

/** Repeats each measurement and takes the shortest, because a process does other work, too. */
const rounds = 3;

/** Characters; the default length of the longest text. */
const usualLength = 32_768;

/** A complaint if CPU time grows much faster than the text. Tries short texts first, which may already show it. */
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

/** CPU time in milliseconds. */
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
