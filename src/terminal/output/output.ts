import { fstatSync, writeSync } from 'node:fs';
import { ConfigError, readMessage, readSystemCode } from '../../errors/errors.js';
import type { OutputStream } from '../process/system.js';

export interface Output {
  readonly isTerminal: boolean;
  /** The terminal's width in columns; `undefined` if unknown or without a terminal. */
  readonly columns: number | undefined;
  /** Resolves when the system has taken the data. Ignores closed pipes. @throws ConfigError if stdout is unwritable */
  write(data: string | Uint8Array): Promise<void>;
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
    if (this.#shown) this.#stderr().write(eraseLine);
    this.#shown = false;
  }
}

/** The smallest capacity of a pipe on any platform (macOS). */
const pipeBytes = 16 * 1024;

interface StreamOptions {
  readonly open: () => OutputStream;
  /** The descriptor. Short output to a file or pipe needs no stream, which would load `node:net`. */
  readonly file?: number | undefined;
  readonly status: StatusLine;
  /** Called when the reader has closed the output. If absent, all errors are ignored. */
  readonly onClosed?: () => void;
}

export class StreamOutput implements Output {
  readonly isTerminal: boolean;
  readonly #options: StreamOptions;
  #stream: OutputStream | undefined;
  #directBytes: number;
  #closed = false;

  constructor(options: StreamOptions) {
    this.#options = options;
    this.#directBytes = isFileOrPipe(options.file) ? pipeBytes : 0;
    this.isTerminal = this.#directBytes === 0 && this.#open().isTTY === true;
  }

  get columns(): number | undefined {
    // A terminal without a known size, such as a serial line, reports 0.
    return this.isTerminal ? this.#stream?.columns || undefined : undefined;
  }

  async write(data: string | Uint8Array): Promise<void> {
    if (this.#closed || data.length === 0) return;
    if (this.isTerminal) this.#options.status.hide();
    try {
      const rest = this.#writeDirectly(Buffer.from(data));
      if (rest.length > 0) await this.#writeToStream(rest);
    } catch (error) {
      if (!this.#isQuiet(error))
        throw new ConfigError(`cannot write to standard output: ${readMessage(error)}`, { cause: error });
      this.#close();
    }
  }

  /** @returns what the stream must write */
  #writeDirectly(bytes: Uint8Array): Uint8Array {
    const { file } = this.#options;
    if (file === undefined || this.#stream !== undefined || bytes.length > this.#directBytes) return bytes;
    try {
      const taken = writeSync(file, bytes);
      this.#directBytes -= taken;
      return bytes.subarray(taken);
    } catch (error) {
      if (readSystemCode(error) === 'EAGAIN') return bytes;
      throw error;
    }
  }

  #writeToStream(bytes: Uint8Array): Promise<void> {
    const stream = this.#open();
    return new Promise((resolve, reject) => {
      stream.write(bytes, (error) => (error ? reject(error) : resolve()));
    });
  }

  #open(): OutputStream {
    if (this.#stream !== undefined) return this.#stream;
    this.#stream = this.#options.open();
    // Without a listener, Node.js throws. Errors other than a closed pipe are reported by the failed write.
    this.#stream.on('error', (error) => {
      if (this.#isQuiet(error)) this.#close();
    });
    return this.#stream;
  }

  // Windows reports EOF; a stream that was destroyed after EPIPE reports ERR_STREAM_DESTROYED.
  #isQuiet(error: unknown): boolean {
    const code = readSystemCode(error) ?? '';
    return !this.#options.onClosed || ['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED'].includes(code);
  }

  #close(): void {
    if (!this.#closed) this.#options.onClosed?.();
    this.#closed = true;
  }
}

/** Pipes from a Node.js parent are sockets. */
function isFileOrPipe(file: number | undefined): boolean {
  try {
    const found = file === undefined ? undefined : fstatSync(file);
    return found !== undefined && (found.isFIFO() || found.isFile() || found.isSocket());
  } catch {
    // The stream of Node.js handles a closed descriptor.
    return false;
  }
}
