import { EventEmitter } from 'node:events';
import { PassThrough, Readable, Writable } from 'node:stream';
import type { Signal, System } from '../../src/terminal/process/system.js';

export interface MemorySystemOptions {
  readonly argv?: readonly string[];
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Content of stdin; on a terminal, a line is typed when a question is asked. Default: empty. */
  readonly stdin?: string | Buffer;
  /** Which streams are a terminal. Default: none. */
  readonly isTTY?:
    | boolean
    | { readonly stdin?: boolean; readonly stdout?: boolean; readonly stderr?: boolean };
  /** Default: 80. */
  readonly columns?: number;
  /** Default: 24. */
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
  stderrText(): string;
  /** True only while a prompt is reading. */
  readonly rawMode: boolean;
  /** Types keys, such as `'secret\r'` or `'\u0003'`. */
  type(keys: string): void;
  /** Delivers a signal; returns whether there was a listener. */
  raise(signal: Signal): boolean;
  listenerCount(signal: Signal): number;
  /** Makes writes to stdout fail with EPIPE, as after `| head -1`. */
  closeStdout(): void;
}

class MemoryOutput extends Writable {
  readonly isTTY: boolean | undefined;
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  fault: string | undefined;
  readonly #chunks: Buffer[] = [];

  constructor(isTTY: boolean | undefined, { columns = 80, rows = 24 }: MemorySystemOptions) {
    super({ decodeStrings: true, autoDestroy: false });
    this.isTTY = isTTY || undefined;
    this.columns = isTTY ? columns : undefined;
    this.rows = isTTY ? rows : undefined;
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error) => void): void {
    const code = this.fault;
    if (code === undefined) this.#chunks.push(chunk);
    done(code === undefined ? undefined : Object.assign(new Error(`${code}: cannot write`), { code }));
  }

  text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }
}

class MemoryTerminalInput extends PassThrough {
  readonly isTTY = true;
  rawMode = false;
  readonly #answers: string[];

  constructor(keys: string) {
    super();
    this.#answers = keys.split(/(?<=\r)/);
  }

  setRawMode(raw: boolean): this {
    this.rawMode = raw;
    const answer = raw ? this.#answers.shift() : undefined;
    if (answer) setImmediate(() => this.write(answer));
    return this;
  }
}

/** A system in memory, which does not change the real process. */
export function memorySystem(options: MemorySystemOptions = {}): MemorySystem {
  const { argv = [], env = {}, isTTY = false, cwd = process.cwd(), pid = 4_711_000 } = options;
  const tty = typeof isTTY === 'boolean' ? { stdin: isTTY, stdout: isTTY, stderr: isTTY } : isTTY;
  const input = Buffer.from(options.stdin ?? '');
  const terminal = new MemoryTerminalInput(tty.stdin ? input.toString() : '');
  const stdout = new MemoryOutput(tty.stdout, options);
  stdout.fault = options.stdoutFault;
  const stderr = new MemoryOutput(tty.stderr, options);
  const signals = new EventEmitter();
  return {
    argv: ['/usr/bin/node', '/usr/bin/orgctl', ...argv],
    ...(options.stdoutFile !== undefined && { stdoutFile: options.stdoutFile }),
    ...{ env, pid, stdout, stderr, platform: options.platform ?? process.platform },
    stdin: tty.stdin ? terminal : Readable.from(input.length === 0 ? [] : [input]),
    cwd: () => cwd,
    on: (signal, listener) => signals.on(signal, listener),
    off: (signal, listener) => signals.off(signal, listener),
    listenerCount: (signal) => signals.listenerCount(signal),
    raise: (signal) => signals.emit(signal),
    stdoutText: () => stdout.text(),
    stderrText: () => stderr.text(),
    type: (keys) => void terminal.write(keys),
    closeStdout: () => {
      stdout.fault = 'EPIPE';
    },
    get rawMode() {
      return terminal.rawMode;
    },
  };
}
