import type { Streams } from '../output/streams.js';
import { sanitize } from '../text/sanitize.js';

export interface Progress {
  tick(): void;
  /** Erases the line; to be called also after an error. */
  done(): void;
}

export interface ProgressTask {
  readonly label: string;
  readonly total?: number | undefined;
}

// Milliseconds; shorter work shows no line.
const redrawAfter = 100;

/** Shows a count on stderr, if stderr is a terminal and `--quiet` is not given. */
export function startProgress(
  { label, total }: ProgressTask,
  { stderr, status }: Streams,
  quiet = false,
): Progress {
  if (quiet || !stderr.isTerminal) return { tick: () => undefined, done: () => undefined };
  let count = 0;
  let drawn = performance.now();
  return {
    tick: () => {
      count += 1;
      if (performance.now() - drawn < redrawAfter) return;
      drawn = performance.now();
      const line = sanitize(`${label} ${count}${total === undefined ? '' : `/${total}`}`);
      // A full line would wrap, and erasing clears only one.
      status.show(line.slice(0, (stderr.columns ?? 80) - 1));
    },
    done: () => status.hide(),
  };
}
