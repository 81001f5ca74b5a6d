import { randomInt } from 'node:crypto';

/** CI runs a short form of each test in here: `ORGCTL_TEST_HARD=short npm run test:all`. */
const isShort = process.env['ORGCTL_TEST_HARD'] === 'short';

/** How often a test repeats its attack: in the long form, and in CI's. */
export function rounds(long: number, short: number): number {
  return isShort ? short : long;
}

/**
 * What a test's random choices begin with: printed, so that a failure can be run again, and taken from
 * `ORGCTL_TEST_SEED` when that is set.
 */
export function printedSeed(name: string): number {
  const seed = Number(process.env['ORGCTL_TEST_SEED'] ?? randomInt(2 ** 31));
  console.log(`${name}: ORGCTL_TEST_SEED=${seed}`);
  return seed;
}

/** Numbers from 0 up to 1 that follow from the seed (mulberry32), the same on every machine. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
