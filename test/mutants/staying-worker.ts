import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { PoolOptions, PoolRunnerInitializer, PoolWorker, WorkerRequest } from 'vitest/node';

type Listener = Parameters<PoolWorker['on']>[1];

const stopped = { type: 'stopped', __vitest_worker_response__: true };

/** The thread of this process, with all sources loaded. */
let thread: Worker | undefined;

/**
 * Vitest ends its workers after each run, and loads hundreds of modules into the next one. Mutants are switched on and off
 * within loaded sources: here the worker stays, and each run has only its test files loaded anew.
 */
class StayingWorker implements PoolWorker {
  readonly name = 'staying';
  readonly cacheFs = false;
  readonly #options: PoolOptions;
  readonly #listeners: [string, Listener][] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
  }

  async start(): Promise<void> {
    const { distPath, env, execArgv } = this.#options;
    thread ??= startThread(join(distPath, 'workers/threads.js'), env, execArgv);
  }

  on(event: string, listener: Listener): void {
    this.#listeners.push([event, listener]);
    thread?.on(event, listener);
  }

  off(event: string, listener: Listener): void {
    thread?.off(event, listener);
  }

  /** What ends the thread is kept from it, and answered for it. */
  send(message: WorkerRequest): void {
    if (message.type !== 'stop') thread?.postMessage(message);
    else for (const [event, listener] of this.#listeners) if (event === 'message') listener(stopped);
  }

  deserialize(message: unknown): unknown {
    return message;
  }

  async stop(): Promise<void> {
    for (const [event, listener] of this.#listeners.splice(0)) thread?.off(event, listener);
  }
}

function startThread(entry: string, env: PoolOptions['env'], execArgv: string[]): Worker {
  // What is said there is said once a mutant, to nobody.
  const started = new Worker(entry, { env, execArgv, stdout: true, stderr: true });
  started.stdout.resume();
  started.stderr.resume();
  started.on('exit', () => {
    thread = undefined;
  });
  return started;
}

/** Ends the thread, when Vitest ends. */
export async function endStayingWorker(): Promise<void> {
  await thread?.terminate();
}

export const stayingWorkers: PoolRunnerInitializer = {
  name: 'staying',
  createPoolWorker: (options) => new StayingWorker(options),
};
