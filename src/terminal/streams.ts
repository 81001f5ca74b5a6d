import { ConfigError, messageOf, systemCodeOf } from '../errors.js';
import { StatusLine } from './status-line.js';
import type { OutputStream, System } from './system.js';

/** Standard output or error, as commands see it. */
export interface Output {
  readonly isTerminal: boolean;
  /** The terminal's width now, in columns; undefined where it is unknown, and in a pipe or file. */
  readonly columns: number | undefined;
  /** The terminal's height now, in lines; undefined where there is none. */
  readonly rows: number | undefined;
  /**
   * Writes as given, and resolves when the system has taken it: whoever awaits it never fills memory, and nothing is
   * cut at exit. Once the reader is gone it does nothing.
   *
   * @throws ConfigError when stdout cannot be written for another reason, such as a full disk
   */
  write(data: string | Uint8Array): Promise<void>;
}

/** The two outputs of a command. Each is opened when it is first asked for. */
export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The line that progress redraws; both outputs erase it before they write to the same terminal. */
  readonly status: StatusLine;
  /**
   * Aborted when the reader of stdout has left, as `| head` does: a command may stop, for nobody reads on. That is
   * no error (contract, section 1, "Output"): the exit code is 0.
   */
  readonly closed: AbortSignal;
}

/** Wraps the outputs of a process. Nothing is opened yet. */
export function makeStreams(system: Pick<System, 'stdout' | 'stderr'>): Streams {
  const closing = new AbortController();
  const status = new StatusLine(() => system.stderr);
  let stdout: Output | undefined;
  let stderr: Output | undefined;
  return {
    get stdout() {
      stdout ??= new StreamOutput(system.stdout, status, isClosedPipe, () => closing.abort());
      return stdout;
    },
    get stderr() {
      // Where stderr fails there is no place left to say so; the command's result must not depend on it.
      stderr ??= new StreamOutput(system.stderr, status, () => true);
      return stderr;
    },
    status,
    closed: closing.signal,
  };
}

class StreamOutput implements Output {
  readonly isTerminal: boolean;
  readonly #stream: OutputStream;
  readonly #status: StatusLine;
  readonly #endsQuietly: (error: unknown) => boolean;
  readonly #onClosed: () => void;
  #closed = false;

  constructor(
    stream: OutputStream,
    status: StatusLine,
    endsQuietly: (error: unknown) => boolean,
    onClosed: () => void = () => undefined,
  ) {
    this.isTerminal = stream.isTTY === true;
    this.#stream = stream;
    this.#status = status;
    this.#endsQuietly = endsQuietly;
    this.#onClosed = onClosed;
    // Without a listener Node throws; what is no closed pipe reaches the caller through the write that failed.
    stream.on('error', (error) => {
      if (endsQuietly(error)) this.#close();
    });
  }

  get columns(): number | undefined {
    // A terminal that was not told its size, such as a serial line, says 0.
    return this.isTerminal ? this.#stream.columns || undefined : undefined;
  }

  get rows(): number | undefined {
    return this.isTerminal ? this.#stream.rows : undefined;
  }

  write(data: string | Uint8Array): Promise<void> {
    if (this.#closed || data.length === 0) return Promise.resolve();
    if (this.isTerminal) this.#status.hide();
    return new Promise((resolve, reject) => {
      this.#stream.write(data, (error) => {
        if (error && !this.#endsQuietly(error)) return reject(writeError(error));
        if (error) this.#close();
        return resolve();
      });
    });
  }

  #close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#onClosed();
  }
}

// EOF is what Windows calls it; a stream that Node destroyed after the first EPIPE answers with its own code.
function isClosedPipe(error: unknown): boolean {
  const code = systemCodeOf(error);
  return code === 'EPIPE' || code === 'EOF' || code === 'ERR_STREAM_DESTROYED';
}

function writeError(error: Error): ConfigError {
  return new ConfigError(`cannot write to standard output: ${messageOf(error)}`, { cause: error });
}
