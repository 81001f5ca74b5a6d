import { spawn } from 'node:child_process';
import { fstatSync } from 'node:fs';
import type { System } from '../process/system.js';
import type { Streams } from './streams.js';

/** Ends output when its reader leaves: Node.js notices only at a write, GNU tail(1) at once. @returns a function to end this */
export function watchReader({ stdoutFile, env: { PATH }, pid }: System, { stdout }: Streams): () => void {
  if (stdoutFile === undefined || !fstatSync(stdoutFile).isFIFO()) return () => undefined;
  const stdio = ['ignore' as const, stdoutFile, 'ignore' as const];
  const tail = spawn('tail', ['-f', `--pid=${pid}`, '/dev/null'], { stdio, env: { PATH } });
  tail.on('error', () => undefined);
  tail.on('exit', (_code, signal) => {
    if (signal === 'SIGPIPE') void Promise.allSettled([stdout.write('\n')]);
  });
  return () => void tail.kill();
}
