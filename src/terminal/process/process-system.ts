import { fstatSync, statSync } from 'node:fs';
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
  if (exitCode === hungUp && process.platform !== 'win32') process.kill(process.pid, 'SIGHUP');
}

/** Whether output is discarded. Node opens the null device for closed streams (`>&-`), so these look the same. */
export function isNullDevice(file = -1): boolean {
  try {
    const found = fstatSync(file);
    return found.isCharacterDevice() && found.rdev === statSync('/dev/null').rdev;
  } catch {
    // A closed file, or a system without this device.
    return false;
  }
}

export function ownProcessId(): number {
  return process.pid;
}

/** Whether any user has a process with this ID, be it one that has ended and whose parent has not noticed. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return readSystemCode(error) === 'EPERM';
  }
}
