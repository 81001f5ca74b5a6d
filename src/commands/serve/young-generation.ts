import { versions } from 'node:process';
import { setFlagsFromString } from 'node:v8';

/** The last line of V8 that is known to have the flag; one that has not would complain on stderr. */
const lastKnown = 13;

/**
 * Keeps V8's young generation at the size that the start needed, about 8 MB. Under load it would grow to 32 MB, of which
 * a server that holds next to nothing from one request to the next has no use: it costs memory and saves no time.
 */
export function keepYoungGeneration(): void {
  if (Number(versions.v8.split('.')[0]) <= lastKnown) setFlagsFromString('--semi-space-growth-factor=1');
}
