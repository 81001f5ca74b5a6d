import type { Streams } from '../output/streams.js';
import { sanitize } from '../text/sanitize.js';

/** The progress of long work. */
export interface Progress {
  /** So many more are done; one unless said otherwise. */
  tick(count?: number): void;
  /** Erases the line. Call it however the work ends. */
  done(): void;
}

export interface ProgressContext {
  readonly streams: Streams;
  readonly quiet: boolean;
  /** Milliseconds of a clock that only runs forward. */
  readonly now: () => number;
}

export interface Task {
  /** What is being done, such as `creating connections`. */
  readonly label: string;
  /** How much there is, where that is known. */
  readonly total?: number | undefined;
}

// Faster than this nobody reads; it also keeps work that is over at once from flashing a line.
const redrawAfter = 100;

/** A line on stderr, redrawn as the work goes on, where stderr is a terminal and `--quiet` is not given; else nothing. */
export function startProgress({ streams, quiet, now }: ProgressContext, task: Task): Progress {
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

function progressLine({ label, total }: Task, count: number, columns: number): string {
  const figures = total === undefined ? `${count}` : `${count}/${total}`;
  // One column stays free: a full line would make the terminal wrap, and erasing reaches one line only.
  return sanitize(`${label} ${figures}`).slice(0, columns - 1);
}
