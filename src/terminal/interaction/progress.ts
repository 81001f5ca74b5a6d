import type { Streams } from '../output/streams.js';
import { sanitize } from '../text/sanitize.js';

export interface Progress {
  tick(count?: number): void;
  /** Erases the line. Call it however the work ends. */
  done(): void;
}

export interface ProgressContext {
  readonly streams: Streams;
  readonly quiet: boolean;
  /** Milliseconds of a monotonic clock. */
  readonly now: () => number;
}

export interface ProgressTask {
  readonly label: string;
  readonly total?: number | undefined;
}

// Milliseconds. Also keeps short work from flashing a line.
const redrawAfter = 100;

/** Redraws a line on stderr, if that is a terminal and without `--quiet`. */
export function startProgress({ streams, quiet, now }: ProgressContext, task: ProgressTask): Progress {
  if (quiet || !streams.stderr.isTerminal) return { tick: () => undefined, done: () => undefined };
  let count = 0;
  let drawn = now();
  return {
    tick: (more = 1) => {
      count += more;
      if (now() - drawn < redrawAfter) return;
      drawn = now();
      streams.status.show(progressLine(task, count, streams.stderr.columns ?? 80));
    },
    done: () => streams.status.hide(),
  };
}

function progressLine({ label, total }: ProgressTask, count: number, columns: number): string {
  const figures = total === undefined ? `${count}` : `${count}/${total}`;
  // Leave one column free: a full line would wrap, and erasing only clears one line.
  return sanitize(`${label} ${figures}`).slice(0, columns - 1);
}
