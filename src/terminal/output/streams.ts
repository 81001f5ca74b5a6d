import { ConfigError, readMessage, readSystemCode } from '../../errors/errors.js';
import { once } from '../../platform/once.js';
import type { OutputStream, System } from '../process/system.js';

export interface Output {
  readonly isTerminal: boolean;
  /** The terminal's width in columns; `undefined` if unknown or without a terminal. */
  readonly columns: number | undefined;
  /** Resolves when the system has taken the data. Ignores closed pipes. @throws ConfigError if stdout is unwritable */
  write(data: string | Uint8Array): Promise<void>;
}

export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The progress line; stdout and stderr erase it before they write to a terminal. */
  readonly status: StatusLine;
  /** Aborted when a write finds that stdout's reader has closed, as `| head` does. The command may then stop with 0. */
  readonly closed: AbortSignal;
  /** Prevents `closed` from being aborted: changes that have begun are completed even without a reader. */
  outlastReader(): void;
}

export function makeStreams(system: Pick<System, 'stdout' | 'stderr'>): Streams {
  const closing = new AbortController();
  let outlasts = false;
  const status = new StatusLine(() => system.stderr);
  const onClosed = () => {
    if (!outlasts) closing.abort();
  };
  const stdout = once(() => new StreamOutput(system.stdout, status, onClosed));
  // A failure of stderr cannot be reported, and must not affect the result.
  const stderr = once(() => new StreamOutput(system.stderr, status));
  return {
    get stdout() {
      return stdout();
    },
    get stderr() {
      return stderr();
    },
    status,
    closed: closing.signal,
    outlastReader: () => {
      outlasts = true;
    },
  };
}

/** Streams whose stdout collects the text, laid out for the output that it replaces. */
export function collectStdout(streams: Streams): { readonly streams: Streams; readonly text: () => string } {
  const { isTerminal, columns } = streams.stdout;
  let text = '';
  const write = async (data: string | Uint8Array) => {
    text += typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
  };
  return { streams: { ...streams, stdout: { isTerminal, columns, write } }, text: () => text };
}

const eraseLine = '\r\u001b[K';

/** One line on stderr, redrawn in place and erased at the end. */
class StatusLine {
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

class StreamOutput implements Output {
  readonly isTerminal: boolean;
  readonly #stream: OutputStream;
  readonly #status: StatusLine;
  readonly #onClosed: (() => void) | undefined;
  #closed = false;

  /** @param onClosed called when the reader has closed the output; if absent, all errors are ignored */
  constructor(stream: OutputStream, status: StatusLine, onClosed?: () => void) {
    this.isTerminal = stream.isTTY === true;
    this.#stream = stream;
    this.#status = status;
    this.#onClosed = onClosed;
    // Without a listener, Node.js throws. Errors other than a closed pipe are reported by the failed write.
    stream.on('error', (error) => {
      if (this.#isQuiet(error)) this.#close();
    });
  }

  get columns(): number | undefined {
    // A terminal without a known size, such as a serial line, reports 0.
    return this.isTerminal ? this.#stream.columns || undefined : undefined;
  }

  async write(data: string | Uint8Array): Promise<void> {
    if (this.#closed || data.length === 0) return;
    if (this.isTerminal) this.#status.hide();
    try {
      await new Promise<void>((resolve, reject) => {
        this.#stream.write(data, (error) => (error ? reject(error) : resolve()));
      });
    } catch (error) {
      if (!this.#isQuiet(error))
        throw new ConfigError(`cannot write to standard output: ${readMessage(error)}`, { cause: error });
      this.#close();
    }
  }

  // Windows reports EOF; a stream that was destroyed after EPIPE reports ERR_STREAM_DESTROYED.
  #isQuiet(error: unknown): boolean {
    const code = readSystemCode(error) ?? '';
    return !this.#onClosed || ['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED'].includes(code);
  }

  #close(): void {
    if (!this.#closed) this.#onClosed?.();
    this.#closed = true;
  }
}
