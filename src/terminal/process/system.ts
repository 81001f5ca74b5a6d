import { fstatSync, statSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { readSystemCode } from '../../errors/errors.js';

export type InputStream = Readable & { readonly isTTY?: boolean | undefined };

export type OutputStream = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
};

const endSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

export type Signal = (typeof endSignals)[number];

/** The process as orgctl uses it; tests pass an in-memory one. Streams are getters, so that unused ones never open. */
export interface System {
  /** Node's path, the script's path, then the user's arguments. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  /** The descriptors of `stdout` and `stderr`, if they have any. */
  readonly stdoutFile?: number;
  readonly stderrFile?: number;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  cwd(): string;
  on(signal: Signal, listener: () => void): unknown;
  off(signal: Signal, listener: () => void): unknown;
}

/** Calls `listener` for each signal that would end the process. @returns a function that stops this */
export function onEndSignal(system: System, listener: (signal: Signal) => void): () => void {
  const listeners = endSignals.map((signal) => [signal, () => listener(signal)] as const);
  for (const [signal, listen] of listeners) system.on(signal, listen);
  return () => {
    for (const [signal, listen] of listeners) system.off(signal, listen);
  };
}

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

/** Whether output goes to the null device, which Node.js also opens for closed output. */
export function isNullDevice(file = -1): boolean {
  try {
    const found = fstatSync(file);
    return found.isCharacterDevice() && found.rdev === statSync('/dev/null').rdev;
  } catch {
    return false;
  }
}

export function ownProcessId(): number {
  return process.pid;
}

/** Whether any user has a process with this ID. */
export function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return readSystemCode(error) === 'EPERM';
  }
}
