import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import type { ServerOptions } from '../../../src/server/index.js';
import { bundleServer, type ProcessLimits, ServerProcess } from './server-process.js';

/** Servers in processes of their own, from one bundle for the whole file; those still running are killed after each test. */
export function useServerProcesses() {
  const running: ServerProcess[] = [];
  let directory: string;
  let script: string;
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'orgctl-test-'));
    // Some run as another user.
    await chmod(directory, 0o755);
    script = await bundleServer(directory);
  });
  afterAll(() => rm(directory, { recursive: true }));
  const killAll = async () => {
    await Promise.all(running.splice(0).map((process) => process.end('SIGKILL')));
  };
  afterEach(killAll);
  return {
    async open(options: ServerOptions, limits?: ProcessLimits): Promise<ServerProcess> {
      const process = await ServerProcess.open(script, options, limits);
      running.push(process);
      return process;
    },
    killAll,
  };
}
