import { systemCodeOf } from '../errors.js';
import type { System } from './system.js';

const stdoutFile = 1;
const stderrFile = 2;
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

/** The ID of the user this process acts as; `undefined` on Windows, which knows no such numbers. */
export function effectiveUser(): number | undefined {
  return process.geteuid?.();
}

/** The ID of this process. */
export function ownProcessId(): number {
  return process.pid;
}

/** Whether there is a process of that ID on this machine, be it another user's. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return systemCodeOf(error) === 'EPERM';
  }
}
