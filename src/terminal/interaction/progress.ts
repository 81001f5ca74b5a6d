import type { Streams } from '../output/streams.js';
import { sanitize } from '../text/sanitize.js';

export interface Progress {
  tick(count?: number): void;
  /** Erases the line. Call it also after an error. */
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

// Milliseconds; shorter work shows no line.
const redrawAfter = 100;

/** Milliseconds of work before a rate is meaningful. */
const rateAfter = 2000;
const barWidth = 20;

/** Shows progress in a line on stderr, if stderr is a terminal and `--quiet` is not given. */
export function startProgress({ streams, quiet, now }: ProgressContext, task: ProgressTask): Progress {
  if (quiet || !streams.stderr.isTerminal) return { tick: () => undefined, done: () => undefined };
  let count = 0;
  const started = now();
  let drawn = started;
  return {
    tick: (more = 1) => {
      count += more;
      if (now() - drawn < redrawAfter) return;
      drawn = now();
      const pace = drawn - started < rateAfter ? '' : describePace(task, count, drawn - started);
      streams.status.show(progressLine(task, `${count}`, pace, streams.stderr.columns ?? 80));
    },
    done: () => streams.status.hide(),
  };
}

function progressLine({ label, total }: ProgressTask, count: string, pace: string, columns: number): string {
  const figures = total === undefined ? count : `${count}/${total}`;
  const line = sanitize(`${label} ${figures}`);
  // Leaves one column free: a full line would wrap, and erasing clears only one line.
  return line.length + pace.length < columns ? `${line}${pace}` : line.slice(0, columns - 1);
}

/** Such as `  ██████░░  12/s, 40s left`. */
function describePace({ total }: ProgressTask, count: number, elapsed: number): string {
  const perSecond = (count * 1000) / elapsed;
  const rate = `${perSecond < 10 ? perSecond.toFixed(1) : Math.round(perSecond)}/s`;
  if (total === undefined || count === 0 || count > total) return `  ${rate}`;
  const filled = Math.floor((count / total) * barWidth);
  const bar = `${'█'.repeat(filled)}${'░'.repeat(barWidth - filled)}`;
  const left = Math.ceil((total - count) / perSecond);
  return `  ${bar}  ${rate}, ${left < 60 ? `${left}s` : `${Math.ceil(left / 60)}m`} left`;
}
