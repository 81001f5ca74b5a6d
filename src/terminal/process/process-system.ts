import { fstatSync, readFileSync, statSync } from 'node:fs';
import { readSystemCode } from '../../errors/errors.js';
import type { System } from './system.js';

const stdoutFile = 1;
const stderrFile = 2;

/** The exit code after SIGHUP; a command that orgctl ran may also have returned it. */
const hungUp = 129;

export function toSystem(process: NodeJS.Process): System {
  return {
    argv: process.argv,
    env: process.env,
    platform: process.platform,
    pid: process.pid,
    stdoutFile,
    stderrFile,
    get stdin() {
      return process.stdin;
    },
    get stdout() {
      return process.stdout;
    },
    get stderr() {
      return process.stderr;
    },
    cwd: () => process.cwd(),
    on: (signal, listener) => process.on(signal, listener),
    off: (signal, listener) => process.off(signal, listener),
  };
}

/** After a hang-up, ends the process with SIGHUP (129 in shells): Node.js would abort without its terminal. */
export function endProcess(process: NodeJS.Process, exitCode: number): void {
  process.exitCode = exitCode;
  if (exitCode !== hungUp) return;
  if ([0, stdoutFile, stderrFile].some((file) => isClosedTerminal(process, file))) {
    process.kill(process.pid, 'SIGHUP');
  }
}

function isClosedTerminal(process: NodeJS.Process, file: number): boolean {
  // Not imported, because most runs do not need it.
  return isDevice(file, false) && !process.getBuiltinModule('node:tty').isatty(file);
}

/** Whether output is discarded. Node opens the null device for closed streams (`>&-`), so these look the same. */
export function isNullDevice(file = -1): boolean {
  return isDevice(file, true);
}

/** Whether a file is the null device or, if `isNull` is false, another character device. */
function isDevice(file: number, isNull: boolean): boolean {
  try {
    const found = fstatSync(file);
    return found.isCharacterDevice() && (found.rdev === statSync('/dev/null').rdev) === isNull;
  } catch {
    // A closed file, or a system without these devices.
    return false;
  }
}

export function ownProcessId(): number {
  return process.pid;
}

/** Start time in the platform's own format, for comparison only; `undefined` if unknown. */
export function processStart(pid: number): string | undefined {
  return readStat(pid)?.started;
}

/** @param started from `processStart` @returns `undefined` if a process has that ID but its start is unknown */
export function isSameProcess(pid: number, started: string | undefined): boolean | undefined {
  if (!isRunning(pid)) return false;
  const found = readStat(pid);
  if (found?.state === zombie) return false;
  return found === undefined || started === undefined ? undefined : found.started === started;
}

const zombie = 'Z';

/** State, and start in clock ticks since boot, from Linux's proc(5). */
function readStat(pid: number): { readonly state?: string; readonly started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // Counted from field 3: the name before it may contain spaces and parentheses.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[22 - 3]];
    return started === undefined ? undefined : { ...(state && { state }), started };
  } catch {
    return undefined;
  }
}

/** Whether any user has a process with this ID. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return readSystemCode(error) === 'EPERM';
  }
}
