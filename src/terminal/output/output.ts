import { ConfigError, readMessage, readSystemCode } from '../../errors/errors.js';
import type { OutputStream } from '../process/system.js';

export interface Output {
  readonly isTerminal: boolean;
  /** The terminal's width in columns; `undefined` if unknown or without a terminal. */
  readonly columns: number | undefined;
  readonly rows: number | undefined;
  /** Resolves when the system has taken the data. Ignores closed pipes. @throws ConfigError if stdout is unwritable */
  write(data: string | Uint8Array): Promise<void>;
}

// Windows reports EOF; a stream that was destroyed after EPIPE reports ERR_STREAM_DESTROYED.
export function isClosedPipe(error: unknown): boolean {
  const code = readSystemCode(error);
  return code === 'EPIPE' || code === 'EOF' || code === 'ERR_STREAM_DESTROYED';
}

/** For writes that failed for a reason other than a closed pipe. */
export function outputError(error: unknown): ConfigError {
  return new ConfigError(`cannot write to standard output: ${readMessage(error)}`, { cause: error });
}

const eraseLine = '\r\u001b[K';

/** One line on stderr, redrawn in place and erased at the end. */
export class StatusLine {
  readonly #stderr: () => OutputStream;
  #shown = false;

  constructor(stderr: () => OutputStream) {
    this.#stderr = stderr;
  }

  /** The line must fit the terminal and have no control characters. */
  show(line: string): void {
    this.#shown = true;
    this.#stderr().write(`${eraseLine}${line}`);
  }

  hide(): void {
    if (!this.#shown) return;
    this.#shown = false;
    this.#stderr().write(eraseLine);
  }
}

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
    // Without a listener, Node.js throws. Errors other than a closed pipe are reported by the failed write.
    stream.on('error', (error) => {
      if (endsQuietly(error)) this.#close();
    });
  }

  get columns(): number | undefined {
    // A terminal without a known size, such as a serial line, reports 0.
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
        if (error && !this.#endsQuietly(error)) return reject(outputError(error));
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
