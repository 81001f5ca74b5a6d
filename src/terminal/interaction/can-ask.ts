import type { Streams } from '../output/streams.js';
import type { System } from '../process/system.js';

/** Whether a person can read a question and answer it. */
export function canAsk(context: { readonly system: System; readonly streams: Streams }): boolean {
  return context.system.stdin.isTTY === true && context.streams.stderr.isTerminal;
}
