import { ConfigError, readMessage, readSystemCode } from '../../errors/errors.js';
import { once } from '../../platform/once.js';
import type { OutputStream, System } from '../process/system.js';

export interface Output {
  readonly isTerminal: boolean;
  /** The terminal's width; `undefined` if unknown or without a terminal. */
  readonly columns: number | undefined;
  /** Resolves when the system has taken the data. Ignores closed pipes. @throws ConfigError if stdout is unwritable */
  write(data: string | Uint8Array): Promise<void>;
}

export interface Streams {
  readonly stdout: Output;
  readonly stderr: Output;
  /** The progress line; stdout and stderr erase it before they write to a terminal. */
  readonly status: StatusLine;
  /** Aborted when stdout's reader has closed, as `| head` does. The command may then stop with 0. */
  readonly closed: AbortSignal;
  /** Prevents `closed` from being aborted: changes that have begun are completed even without a reader. */
  outlastReader(): void;
}

export function makeStreams(system: Pick<System, 'stdout' | 'stderr'>): Streams {
  const closing = new AbortController();
  let outlasts = false;
  const status = makeStatusLine(() => system.stderr);
  const onClosed = () => {
    if (!outlasts) closing.abort();
  };
  const stdout = once(() => makeOutput(system.stdout, status, onClosed));
  // A failure of stderr cannot be reported, and must not affect the result.
  const stderr = once(() => makeOutput(system.stderr, status));
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

/** Whether a person can read a question and answer it. */
export function canAsk(context: { readonly system: System; readonly streams: Streams }): boolean {
  return context.system.stdin.isTTY === true && context.streams.stderr.isTerminal;
}

/** Streams whose stdout collects text, with the layout of the output that it replaces. */
export function collectStdout(streams: Streams): { readonly streams: Streams; readonly text: () => string } {
  const { isTerminal, columns } = streams.stdout;
  let text = '';
  const write = async (data: string | Uint8Array) => {
    text += typeof data === 'string' ? data : Buffer.from(data).toString('utf8');
  };
  return { streams: { ...streams, stdout: { isTerminal, columns, write } }, text: () => text };
}

const eraseLine = '\r\u001b[K';

type StatusLine = ReturnType<typeof makeStatusLine>;

/** One line on stderr, redrawn in place and erased at the end. */
function makeStatusLine(stderr: () => OutputStream) {
  let isShown = false;
  return {
    /** The line must fit the terminal and have no control characters. */
    show(line: string): void {
      isShown = true;
      stderr().write(`${eraseLine}${line}`);
    },
    hide(): void {
      if (isShown) stderr().write(eraseLine);
      isShown = false;
    },
  };
}

/** @param onClosed called when the reader has closed the output; if absent, all errors are ignored */
function makeOutput(stream: OutputStream, status: StatusLine, onClosed?: () => void): Output {
  const isTerminal = stream.isTTY === true;
  let isClosed = false;
  /** Windows reports EOF; a stream that was destroyed after EPIPE reports ERR_STREAM_DESTROYED. */
  const close = (error: unknown): boolean => {
    const isExpected = ['EPIPE', 'EOF', 'ERR_STREAM_DESTROYED'].includes(readSystemCode(error) ?? '');
    if (onClosed && !isExpected) return false;
    if (!isClosed) onClosed?.();
    isClosed = true;
    return true;
  };
  // Without a listener, Node.js throws. The failed write reports errors other than a closed pipe.
  stream.on('error', close);
  return {
    isTerminal,
    get columns() {
      // A terminal without a known size, such as a serial line, reports 0.
      return isTerminal ? stream.columns || undefined : undefined;
    },
    async write(data) {
      if (isClosed || data.length === 0) return;
      if (isTerminal) status.hide();
      const error = await new Promise((resolve) => stream.write(data, resolve));
      if (error && !close(error))
        throw new ConfigError(`cannot write to standard output: ${readMessage(error)}`, { cause: error });
    },
  };
}

// The capacity of a pipe on Linux: larger writes only cost memory, smaller ones cost system calls.
const chunkLength = 64 * 1024;

/**
 * Writes text to stdout as it arrives. Ends the last line even if the source fails, so that the error comes after the
 * rows. @returns whether there was text
 */
export async function writeChunks(
  chunks: AsyncIterable<string> | Iterable<string>,
  { stdout, closed }: Streams,
): Promise<boolean> {
  let pending = '';
  let last = '';
  let idle: NodeJS.Immediate | undefined;
  let written = Promise.resolve();
  const flush = () => {
    clearImmediate(idle);
    idle = undefined;
    const text = pending;
    pending = '';
    written = written.then(() => stdout.write(text));
    return written;
  };
  try {
    for await (const chunk of chunks) {
      pending += chunk;
      last = chunk;
      if (pending.length >= chunkLength) await flush();
      // Rows that arrive slowly appear at once. The next flush reports a failure.
      else idle ??= setImmediate(() => void Promise.allSettled([flush()]));
      if (closed.aborted) break;
    }
  } finally {
    if (last !== '' && !last.endsWith('\n')) pending += '\n';
    await flush();
  }
  return last !== '';
}
