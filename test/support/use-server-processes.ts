import { chmod } from 'node:fs/promises';
import { afterEach, beforeAll } from 'vitest';
import type { ServerOptions } from '../../src/server/index.js';
import { temporaryDirectory } from './run-cli.js';
import { type ProcessLimits, ServerProcess, writeServerScript } from './server-process.js';

/** Servers of the build in processes of their own; those still running are killed after each test. */
export function useServerProcesses() {
  const running: ServerProcess[] = [];
  let script: string;
  beforeAll(async () => {
    const directory = temporaryDirectory();
    // Some run as another user.
    await chmod(directory, 0o755);
    script = writeServerScript(directory);
  });
  afterEach(async () => {
    await Promise.all(running.splice(0).map((process) => process.end('SIGKILL')));
  });
  return {
    async open(options: ServerOptions, limits?: ProcessLimits): Promise<ServerProcess> {
      const process = await ServerProcess.open(script, options, limits);
      running.push(process);
      return process;
    },
  };
}
