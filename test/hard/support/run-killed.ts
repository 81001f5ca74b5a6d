import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

interface Kill {
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Milliseconds after which the process is killed, unless it has ended. */
  readonly after?: number | undefined;
  /** Whether its time begins with its first output, and not before it has started. */
  readonly fromOutput?: boolean;
}

export interface Killed {
  /** `null` when it was killed. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
  /** Milliseconds. */
  readonly took: number;
}

/** Runs a process of its own that may get no further than to some moment. */
export async function runKilled(
  [program, ...args]: readonly [string, ...string[]],
  { env = {}, after, fromOutput = false }: Kill = {},
): Promise<Killed> {
  const child = spawn(program, args, {
    env: { ...env, PATH: process.env['PATH'] },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const closed = once(child, 'close');
  const printed = Promise.all([text(child.stdout), text(child.stderr)]);
  if (fromOutput) await Promise.race([once(child.stdout, 'readable'), closed]);
  const begun = performance.now();
  const timer = after === undefined ? undefined : setTimeout(() => child.kill('SIGKILL'), after);
  const [[stdout, stderr]] = await Promise.all([printed, closed]);
  clearTimeout(timer);
  return { code: child.exitCode, stdout, stderr, took: performance.now() - begun };
}
