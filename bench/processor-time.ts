import { readdirSync, readFileSync } from 'node:fs';

/** In milliseconds: Linux reports processor time in hundredths of a second. */
const tick = 10;

interface Times {
  readonly parent: number;
  /** In milliseconds, as `withEnded`, which includes children that have ended. */
  readonly own: number;
  readonly withEnded: number;
}

/** Milliseconds of processor time that a process has used. Works only on Linux. */
export function processorTime(pid: number): number {
  return timesOf(pid)?.own ?? Number.NaN;
}

/** Like `processorTime`, but includes the process's children, both running and ended. */
export function processorTimeWithChildren(pid: number): number {
  const all = readdirSync('/proc').map(Number).filter(Number.isInteger);
  const children = all.map(timesOf).filter((times) => times?.parent === pid);
  return children.reduce((sum, times) => sum + (times?.own ?? 0), timesOf(pid)?.withEnded ?? Number.NaN);
}

/** `undefined` if the process has ended (proc(5), `stat`). */
function timesOf(pid: number): Times | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The fields before the last parenthesis include the program's name, which may contain anything.
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
