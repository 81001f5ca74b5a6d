import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, open, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

export type Environment = Readonly<Record<string, string>>;

/** Milliseconds from just before a process is spawned until it has exited. @throws Error if it fails */
export async function timeToExit(
  args: readonly string[],
  env: Environment,
  program = process.execPath,
): Promise<number> {
  const started = performance.now();
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  child.stdout.resume();
  const stderr = text(child.stderr);
  const [code] = await once(child, 'exit');
  const elapsed = performance.now() - started;
  if (code !== 0) throw new Error(`${program} ${args.join(' ')} exited with ${code}: ${await stderr}`);
  return elapsed;
}

/** What a Node process prints on stdout. */
export async function outputOf(args: readonly string[], env: Environment): Promise<string> {
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit');
  const [output, complaint, [code]] = await Promise.all([text(child.stdout), text(child.stderr), exited]);
  if (code !== 0) throw new Error(`node ${args[0]} … exited with ${code}: ${complaint}`);
  return output;
}

const peakMemory = fileURLToPath(new URL('peak-memory.js', import.meta.url));

export interface WatchedRun {
  /** Milliseconds, measured by the parent process. */
  readonly elapsed: number;
  /** Peak resident memory, in megabytes (2^20 bytes). */
  readonly peakMegabytes: number;
  /** Bytes on stdout. */
  readonly printed: number;
}

/** Runs a Node process with its output in a file, as with `> file`, and measures its memory. */
export async function watch(args: readonly string[], env: Environment): Promise<WatchedRun> {
  const directory = await mkdtemp(join(tmpdir(), 'orgctl-bench-'));
  const output = await open(join(directory, 'output'), 'w');
  const peak = join(directory, 'peak');
  try {
    const started = performance.now();
    const child = spawn(process.execPath, ['--import', peakMemory, ...args], {
      env: { ...env, ORGCTL_BENCH_PEAK: peak },
      stdio: ['ignore', output.fd, 'pipe'],
    });
    const stderr = child.stderr === null ? '' : text(child.stderr);
    const [code] = await once(child, 'exit');
    const elapsed = performance.now() - started;
    if (code !== 0) throw new Error(`node ${args.join(' ')} exited with ${code}: ${await stderr}`);
    const kilobytes = Number(await readFile(peak, 'utf8'));
    return { elapsed, peakMegabytes: kilobytes / 1024, printed: (await output.stat()).size };
  } finally {
    await output.close();
    await rm(directory, { recursive: true });
  }
}

export interface RunningChild {
  /** Milliseconds until the first line. */
  readonly elapsed: number;
  readonly line: string;
  readonly pid: number;
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
}

/** Starts a Node process that keeps running, and waits for its first line on `stream`. */
export async function startChild(
  args: readonly string[],
  env: Environment,
  stream: 'stdout' | 'stderr' = 'stdout',
): Promise<RunningChild> {
  const started = performance.now();
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  const other = text(child[stream === 'stdout' ? 'stderr' : 'stdout']);
  for await (const line of createInterface(child[stream])) {
    return { elapsed: performance.now() - started, line, pid: child.pid ?? 0, stop: () => stop(child) };
  }
  throw new Error(`node ${args.join(' ')} ended without a line: ${await other}`);
}

async function stop(child: ChildProcess): Promise<void> {
  const exited = once(child, 'exit');
  child.kill('SIGTERM');
  await exited;
}
