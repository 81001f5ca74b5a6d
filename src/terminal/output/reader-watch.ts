import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import type { System } from '../process/system.js';
import type { Streams } from './streams.js';

/**
 * Detects that the reader of stdout has gone while nothing is written, as after `| head -1`, and aborts
 * `streams.closed`. Node only notices when it writes, so GNU tail(1), which uses poll(2), watches instead. Without a
 * pipe or that tail, the next write notices as usual.
 *
 * @returns what ends it
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
    // Sent to nobody: the next write is to fail as it would anyway.
    if (signal === 'SIGPIPE') void Promise.allSettled([stdout.write('\n')]);
  });
  return () => void tail.kill();
}
