import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever the machine. */
const tick = 10;

interface Times {
  readonly parent: number;
  /** Milliseconds of its own, and with those of its children that have ended. */
  readonly own: number;
  readonly withEnded: number;
}

/** Milliseconds of processor time of a process, on Linux. */
export function processorTime(pid: number): number {
  return timesOf(pid)?.own ?? Number.NaN;
}

/** As that, with all that its children have taken: those that run, and those that have ended. */
export function processorTimeWithChildren(pid: number): number {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const children = all.map(timesOf).filter((times) => times?.parent === pid);
  return children.reduce((sum, times) => sum + (times?.own ?? 0), timesOf(pid)?.withEnded ?? Number.NaN);
}

/** `undefined` when it is not there any more (proc(5), `stat`). */
function timesOf(pid: number): Times | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // What stands before is a name that may hold anything.
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    const [parent = 0, user = 0, system = 0, endedUser = 0, endedSystem = 0] = [1, 11, 12, 13, 14].map(
      (at) => fields[at],
    );
    const own = (user + system) * tick;
    return { parent, own, withEnded: own + (endedUser + endedSystem) * tick };
  } catch {
    return undefined;
  }
}
