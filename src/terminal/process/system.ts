import type { Readable, Writable } from 'node:stream';

/** Standard input, as much of it as the product uses; a memory stream in tests. */
export type InputStream = Readable & {
  readonly isTTY?: boolean | undefined;
  setRawMode?(raw: boolean): unknown;
};

/** Standard output or error; its size is there on a terminal only, which emits `resize` when it changes. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};

/** The signals that ask a process to shut down. */
export const endSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

export type Signal = (typeof endSignals)[number] | 'SIGTSTP' | 'SIGCONT';

/**
 * What the product needs of the process it runs in; tests pass one in memory. Streams
 * are getters, so that a command which never reads stdin never opens it.
 */
export interface System {
  /** Node's path, the script's path, then the user's arguments. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  /** The file descriptor behind `stdout`, if there is one: what is short is written to it without opening the stream. */
  readonly stdoutFile?: number;
  /** The same behind `stderr`: a log is written to it without waiting for its reader. */
  readonly stderrFile?: number;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  cwd(): string;
  on(signal: Signal, listener: () => void): unknown;
  off(signal: Signal, listener: () => void): unknown;
  /** Stops this process as Ctrl-Z does by itself, and returns when it is continued; at once if nobody could do that. */
  stop(): void;
  /** Sends SIGTSTP to all processes of the job, this one too, as the terminal does where it does not pass keys on. */
  stopJob(): void;
}
