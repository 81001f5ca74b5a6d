import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import type { System } from '../process/system.js';
import type { Streams } from './streams.js';

/**
 * Aborts `streams.closed` when stdout's reader closes, which Node notices only on a write; GNU tail(1) watches with
 * poll(2). Without tail or a pipe, the next write notices.
 * @returns stops the watch
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
    // Nothing reads this: it only makes Node notice.
    if (signal === 'SIGPIPE') void Promise.allSettled([stdout.write('\n')]);
  });
  return () => void tail.kill();
}
