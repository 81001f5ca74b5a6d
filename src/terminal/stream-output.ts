import { type Output, writeError } from './output.js';
import type { StatusLine } from './status-line.js';
import type { OutputStream } from './system.js';

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
