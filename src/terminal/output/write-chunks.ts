import type { Streams } from './streams.js';

// The capacity of a pipe on Linux: larger writes only cost memory, smaller ones cost system calls.
const chunkLength = 64 * 1024;

/**
 * Writes text to stdout as it is made, and stops when the reader closes. Ends a partial line, also after a failure of the
 * source, so that the rows come before the error.
 * @returns whether there was any text
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
      // When nothing else is to do, so that rows that arrive slowly appear at once. The next flush reports a failure.
      else idle ??= setImmediate(() => void Promise.allSettled([flush()]));
      if (closed.aborted) break;
    }
  } finally {
    if (last !== '' && !last.endsWith('\n')) pending += '\n';
    await flush();
  }
  return last !== '';
}
