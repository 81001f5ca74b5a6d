import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import type { System } from '../process/system.js';
import type { Streams } from './streams.js';

/**
 * Aborts `streams.closed` when stdout's reader closes. Node.js notices that only on a write, so GNU tail(1) watches
 * with poll(2). Does nothing without tail, or if stdout is not a pipe.
 * @returns a function that stops the watch
 */
export function watchReader(
  { stdoutFile, env: { PATH }, pid }: Pick<System, 'stdoutFile' | 'env' | 'pid'>,
  { stdout }: Pick<Streams, 'stdout'>,
): () => void {
  if (stdoutFile === undefined || !fstatSync(stdoutFile).isFIFO()) return () => undefined;
  const tail = spawn('tail', ['-f', `--pid=${pid}`, '/dev/null'], {
    stdio: ['ignore', stdoutFile, 'ignore'],
    env: { PATH },
  });
  tail.on('error', () => undefined);
  tail.on('exit', (_code, signal) => {
    // This reaches no reader; it only makes Node.js notice that the pipe is closed.
    if (signal === 'SIGPIPE') void Promise.allSettled([stdout.write('\n')]);
  });
  return () => void tail.kill();
}
