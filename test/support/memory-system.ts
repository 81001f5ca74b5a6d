import { EventEmitter } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { InputStream, OutputStream, Signal, System } from '../../src/terminal/process/system.js';

export interface MemorySystemOptions {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Content of stdin; on a terminal, keys typed ahead. Default: empty. */
  readonly stdin?: string | Buffer;
  /** Which streams are a terminal. Default: none. */
  readonly isTTY?:
    | boolean
    | { readonly stdin?: boolean; readonly stdout?: boolean; readonly stderr?: boolean };
  /** Columns; default: 80. */
  readonly columns?: number;
  /** Lines; default: 24. */
  readonly rows?: number;
  readonly cwd?: string;
  /** The claimed descriptor of stdout; only files and pipes are written to. */
  readonly stdoutFile?: number;
  readonly platform?: NodeJS.Platform;
  /** The code with which all writes to stdout fail, such as `ENOSPC`. */
  readonly stdoutFault?: string;
  /** Default: an ID that no process should have. */
  readonly pid?: number;
}

export interface MemorySystem extends System {
  stdoutText(): string;
  stdoutBytes(): Buffer;
  stderrText(): string;
  /** True only while a prompt is reading. */
  readonly rawMode: boolean;
  /** Types keys, such as `'secret\r'` or `'\u0003'`. */
  type(keys: string): void;
  /** Delivers a signal; returns whether there was a listener. */
  raise(signal: Signal): boolean;
  listenerCount(signal: Signal): number;
  /** Resizes the terminal, with the event. */
  resize(columns: number, rows: number): void;
  /** Makes writes to stdout fail with EPIPE, as after `| head -1`. */
  closeStdout(): void;
}

class MemoryOutput extends Writable {
  readonly isTTY: boolean | undefined;
  columns: number | undefined;
  rows: number | undefined;
  fault: string | undefined;
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
    if (this.fault !== undefined) {
      done(Object.assign(new Error(`${this.fault}: cannot write`), { code: this.fault }));
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
    this.pid = options.pid ?? 4_711_000;
    this.#cwd = options.cwd ?? process.cwd();
    if (options.stdoutFile !== undefined) this.stdoutFile = options.stdoutFile;
    this.#stdout = new MemoryOutput(tty.stdout ? size : undefined);
    this.#stdout.fault = options.stdoutFault;
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

/** A system in memory, which does not change the real process. */
export function memorySystem(options: MemorySystemOptions = {}): MemorySystem {
  return new Process(options);
}
