import { chmod } from 'node:fs/promises';
import { afterEach, beforeAll } from 'vitest';
import type { ServerOptions } from '../../../src/server/index.js';
import { temporaryDirectory } from '../../support/run-cli.js';
import { bundleServer, type ProcessLimits, ServerProcess } from './server-process.js';

/** Servers in processes of their own, from one bundle for the whole file; those still running are killed after each test. */
export function useServerProcesses() {
  const running: ServerProcess[] = [];
  let script: string;
  beforeAll(async () => {
    const directory = temporaryDirectory();
    // Some run as another user.
    await chmod(directory, 0o755);
    script = await bundleServer(directory);
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
