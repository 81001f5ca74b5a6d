import { versions } from 'node:process';
import { setFlagsFromString } from 'node:v8';

/** The last V8 version known to have these flags; a later one might complain on stderr. */
const lastKnown = 14;

/**
 * Keeps V8's heap small while serving, since a server holds next to nothing between requests. The young generation
 * stays at its size after the start, about 8 MB: it would grow to 32 and save no time. And garbage is collected when it
 * reaches half of what is in use, not three times as much. Together that saves 15 MB after 10,000 creations.
 *
 * Before and after, the flags are the usual ones: V8 rejects cached code that was compiled under others.
 */
export async function withSmallHeap<Result>(serve: () => Promise<Result>): Promise<Result> {
  setFlags({ growthFactor: 1, growingPercent: 60 });
  try {
    return await serve();
  } finally {
    // V8's defaults.
    setFlags({ growthFactor: 2, growingPercent: 0 });
  }
}

function setFlags({ growthFactor, growingPercent }: { growthFactor: number; growingPercent: number }): void {
  if (Number(versions.v8.split('.')[0]) > lastKnown) return;
  setFlagsFromString(`--semi-space-growth-factor=${growthFactor}`);
  setFlagsFromString(`--heap-growing-percent=${growingPercent}`);
}
