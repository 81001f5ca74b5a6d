import type { Readable, Writable } from 'node:stream';

export type InputStream = Readable & {
  readonly isTTY?: boolean | undefined;
  setRawMode?(raw: boolean): unknown;
};

/** A terminal has a size and emits `resize`. */
export type OutputStream = Writable & {
  readonly isTTY?: boolean | undefined;
  readonly columns?: number | undefined;
  readonly rows?: number | undefined;
};

export const endSignals = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;

export type Signal = (typeof endSignals)[number];

/** The process as orgctl uses it; tests pass an in-memory one. Streams are getters, so that unused ones never open. */
export interface System {
  /** Node's path, the script's path, then the user's arguments. */
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  /** The descriptor of `stdout`, if any: whether it is a null device. */
  readonly stdoutFile?: number;
  /** The descriptor of `stderr`, for logs that do not wait for a reader. */
  readonly stderrFile?: number;
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  cwd(): string;
  on(signal: Signal, listener: () => void): unknown;
  off(signal: Signal, listener: () => void): unknown;
}
