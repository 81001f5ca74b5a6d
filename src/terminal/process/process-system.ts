import { fstatSync, readFileSync, statSync } from 'node:fs';
import { systemCodeOf } from '../../errors/errors.js';
import type { System } from './system.js';

const stdoutFile = 1;
const stderrFile = 2;

/** The exit code after a hang-up, even when passing on a command's. */
const hungUp = 129;
/** What kill(2) takes for the sender's process group. */
const ownJob = 0;

/** A process as the product sees it. Its streams are opened when they are first used. */
export function systemOf(process: NodeJS.Process): System {
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
    stop: () => void process.kill(process.pid, 'SIGTSTP'),
    stopJob: () => void process.kill(ownJob, 'SIGTSTP'),
  };
}

/**
 * Sets a process's exit code. A process whose terminal was closed kills itself by that signal, which shells report as
 * 129: otherwise Node aborts at exit when it finds the terminal gone, and may dump core.
 */
export function endProcess(process: NodeJS.Process, exitCode: number): void {
  process.exitCode = exitCode;
  if (exitCode !== hungUp) return;
  if ([0, stdoutFile, stderrFile].some((file) => isClosedTerminal(process, file))) {
    process.kill(process.pid, 'SIGHUP');
  }
}

function isClosedTerminal(process: NodeJS.Process, file: number): boolean {
  // Not imported: a start has no use for it.
  return isDevice(file, false) && !process.getBuiltinModule('node:tty').isatty(file);
}

/**
 * Whether a descriptor is the null device: what is written there is gone. Node opens it in place of a standard stream
 * that was closed (`>&-`), so that the two cannot be told apart.
 */
export function isNullDevice(file = -1): boolean {
  return isDevice(file, true);
}

/** Whether a descriptor is a character device that is, or is not, the null device. */
function isDevice(file: number, isNull: boolean): boolean {
  try {
    const found = fstatSync(file);
    return found.isCharacterDevice() && (found.rdev === statSync('/dev/null').rdev) === isNull;
  } catch {
    // A file that is closed, or a system without these devices.
    return false;
  }
}

/** The ID of this process. */
export function ownProcessId(): number {
  return process.pid;
}

/** Milliseconds that this process has had of the processor: on a machine that is busy, less than went by. */
export function processorTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

/** When a process started, in the platform's own terms, which only compare; `undefined` where it does not say. */
export function processStart(pid: number): string | undefined {
  return statOf(pid)?.started;
}

/**
 * Whether a process is still running, and is the one that started then.
 *
 * @param started as `processStart` gave it
 * @returns `undefined` when there is one of that ID, and the platform does not tell them apart
 */
export function isSameProcess(pid: number, started: string | undefined): boolean | undefined {
  if (!isRunning(pid)) return false;
  const found = statOf(pid);
  if (found?.state === zombie) return false;
  return found === undefined || started === undefined ? undefined : found.started === started;
}

/** It has ended, and its parent has not asked for its exit code. */
const zombie = 'Z';

/** What Linux tells of a process (proc(5)): its state, and the clock ticks between booting and its start. */
function statOf(pid: number): { readonly state?: string; readonly started: string } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // A name may hold spaces and parentheses; the third field follows it.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const [state, started] = [fields[0], fields[22 - 3]];
    return started === undefined ? undefined : { ...(state && { state }), started };
  } catch {
    return undefined;
  }
}

/** Whether there is a process of that ID on this machine, be it another user's. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
}
