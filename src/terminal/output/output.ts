import { ConfigError, messageOf, systemCodeOf } from '../../errors/errors.js';
import type { OutputStream } from '../process/system.js';

/** Standard output or error, as commands see it. */
export interface Output {
  readonly isTerminal: boolean;
  /** The terminal's width now, in columns; undefined where it is unknown, and in a pipe or file. */
  readonly columns: number | undefined;
  /** The terminal's height now, in lines; undefined where there is none. */
  readonly rows: number | undefined;
  /**
   * Writes as given, and resolves when the system has taken it, so that awaiting it bounds memory and nothing is cut at
   * exit. Once the reader is gone it does nothing.
   *
   * @throws ConfigError when stdout cannot be written for another reason, such as a full disk
   */
  write(data: string | Uint8Array): Promise<void>;
}

// EOF is what Windows calls it; a stream that Node destroyed after the first EPIPE answers with its own code.
/** Whether a write failed because its reader has left. */
export function isClosedPipe(error: unknown): boolean {
  const code = systemCodeOf(error);
  return code === 'EPIPE' || code === 'EOF' || code === 'ERR_STREAM_DESTROYED';
}

/** What a write that failed for another reason throws. */
export function writeError(error: unknown): ConfigError {
  return new ConfigError(`cannot write to standard output: ${messageOf(error)}`, { cause: error });
}

const eraseLine = '\r\u001b[K';

/** One line at the cursor of the terminal that stderr is, drawn over and over; it leaves nothing behind. */
export class StatusLine {
  readonly #stderr: () => OutputStream;
  #shown = false;

  constructor(stderr: () => OutputStream) {
    this.#stderr = stderr;
  }

  /** Redraws the line, which must fit the terminal's width and have no control characters. */
  show(line: string): void {
    this.#shown = true;
    this.#stderr().write(`${eraseLine}${line}`);
  }

  /** Erases the line, if one is shown. */
  hide(): void {
    if (!this.#shown) return;
    this.#shown = false;
    this.#stderr().write(eraseLine);
  }
}

/** An output through a stream of Node's. */
export class StreamOutput implements Output {
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
    // Without a listener Node throws; other errors than a closed pipe reach the caller through the failed write.
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
