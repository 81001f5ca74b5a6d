import { EventEmitter } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { InputStream, OutputStream, Signal, System } from '../../src/terminal/process/system.js';

export interface MemorySystemOptions {
  /** The user's arguments alone; Node's path and the script's are put in front. */
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** What stdin holds. On a terminal these are keys typed before anyone asked; without, stdin is empty. */
  readonly stdin?: string | Buffer;
  /** Whether all three streams are a terminal; or which of them are. Default: none. */
  readonly isTTY?:
    | boolean
    | { readonly stdin?: boolean; readonly stdout?: boolean; readonly stderr?: boolean };
  /** The terminal's width in columns; 80 unless said otherwise. */
  readonly columns?: number;
  /** The terminal's height in lines; 24 unless said otherwise. */
  readonly rows?: number;
  readonly cwd?: string;
  /** The descriptor that stdout is said to have; what is written goes to memory all the same, unless it is a file or pipe. */
  readonly stdoutFile?: number;
  readonly platform?: NodeJS.Platform;
  /** By default that of no process, or of somebody else's. */
  readonly pid?: number;
}

/** A process in memory: what a test hands to the product in the place of `process`. */
export interface MemorySystem extends System {
  stdoutText(): string;
  stdoutBytes(): Buffer;
  stderrText(): string;
  /** Whether the terminal is in raw mode: true only while a prompt is reading. */
  readonly rawMode: boolean;
  /** For each time that the process was stopped, whether the terminal was in raw mode then. */
  readonly stops: readonly { readonly rawMode: boolean }[];
  /** Types keys at the terminal, such as `'secret\r'` or `'\u0003'`. */
  type(keys: string): void;
  /** Delivers a signal to whoever listens; returns whether anyone did. */
  raise(signal: Signal): boolean;
  listenerCount(signal: Signal): number;
  /** Gives the terminal another size, and says so as terminals do. */
  resize(columns: number, rows: number): void;
  /** From now on writing to stdout fails with EPIPE, as after `| head -1`. */
  closeStdout(): void;
}

class MemoryOutput extends Writable {
  readonly isTTY: boolean | undefined;
  columns: number | undefined;
  rows: number | undefined;
  readonly #chunks: Buffer[] = [];
  #readerIsGone = false;

  constructor(size: { readonly columns: number; readonly rows: number } | undefined) {
    super({ decodeStrings: true, autoDestroy: false });
    this.isTTY = size === undefined ? undefined : true;
    this.columns = size?.columns;
    this.rows = size?.rows;
  }

  resize(columns: number, rows: number): void {
    if (this.isTTY === undefined) return;
    this.columns = columns;
    this.rows = rows;
    this.emit('resize');
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    if (this.#readerIsGone) {
      done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }));
      return;
    }
    this.#chunks.push(chunk);
    done();
  }

  closeReader(): void {
    this.#readerIsGone = true;
  }

  bytes(): Buffer {
    return Buffer.concat(this.#chunks);
  }
}

class MemoryTerminalInput extends PassThrough {
  readonly isTTY = true;
  rawMode = false;

  setRawMode(raw: boolean): this {
    this.rawMode = raw;
    return this;
  }
}

class Process extends EventEmitter implements MemorySystem {
  readonly argv: readonly string[];
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly platform: NodeJS.Platform;
  readonly pid: number;
  declare readonly stdoutFile?: number;
  readonly stops: { rawMode: boolean }[] = [];
  readonly stdin: InputStream;
  readonly stdout: OutputStream;
  readonly stderr: OutputStream;
  readonly #cwd: string;
  readonly #terminal = new MemoryTerminalInput();
  readonly #stdout: MemoryOutput;
  readonly #stderr: MemoryOutput;

  constructor(options: MemorySystemOptions) {
    super();
    const tty = terminals(options.isTTY ?? false);
    const size = { columns: options.columns ?? 80, rows: options.rows ?? 24 };
    const input = Buffer.from(options.stdin ?? '');
    this.argv = ['/usr/bin/node', '/usr/bin/orgctl', ...(options.argv ?? [])];
    this.env = options.env ?? {};
    this.platform = options.platform ?? process.platform;
    this.pid = options.pid ?? 4711;
    this.#cwd = options.cwd ?? process.cwd();
    if (options.stdoutFile !== undefined) this.stdoutFile = options.stdoutFile;
    this.#stdout = new MemoryOutput(tty.stdout ? size : undefined);
    this.#stderr = new MemoryOutput(tty.stderr ? size : undefined);
    this.stdout = this.#stdout;
    this.stderr = this.#stderr;
    this.stdin = tty.stdin ? this.#terminal : Readable.from(input.length === 0 ? [] : [input]);
    if (tty.stdin && input.length > 0) this.#terminal.write(input);
  }

  get rawMode(): boolean {
    return this.#terminal.rawMode;
  }

  cwd(): string {
    return this.#cwd;
  }

  stdoutText(): string {
    return this.#stdout.bytes().toString('utf8');
  }

  stdoutBytes(): Buffer {
    return this.#stdout.bytes();
  }

  stderrText(): string {
    return this.#stderr.bytes().toString('utf8');
  }

  type(keys: string): void {
    this.#terminal.write(keys);
  }

  stop(): void {
    this.stops.push({ rawMode: this.rawMode });
  }

  stopJob(): void {
    this.emit('SIGTSTP');
  }

  raise(signal: Signal): boolean {
    return this.emit(signal);
  }

  resize(columns: number, rows: number): void {
    this.#stdout.resize(columns, rows);
    this.#stderr.resize(columns, rows);
  }

  closeStdout(): void {
    this.#stdout.closeReader();
  }
}

function terminals(isTTY: NonNullable<MemorySystemOptions['isTTY']>): {
  stdin: boolean;
  stdout: boolean;
  stderr: boolean;
} {
  if (typeof isTTY === 'boolean') return { stdin: isTTY, stdout: isTTY, stderr: isTTY };
  return { stdin: false, stdout: false, stderr: false, ...isTTY };
}

/** A fresh process in memory. Nothing in it touches the real one. */
export function memorySystem(options: MemorySystemOptions = {}): MemorySystem {
  return new Process(options);
}
