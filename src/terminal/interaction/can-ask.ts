import type { Streams } from '../output/streams.js';
import type { System } from '../process/system.js';

interface Terminals {
  readonly system: Pick<System, 'stdin'>;
  readonly streams: Pick<Streams, 'stderr'>;
}

/** Whether a person can read a question and answer it. */
export function canAsk({ system, streams }: Terminals): boolean {
  return system.stdin.isTTY === true && streams.stderr.isTerminal;
}
