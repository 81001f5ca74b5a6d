import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../../src/server/index.js';
import { Caller } from './caller.js';

/** One server for all tests of the calling file; plain HTTP unless asked otherwise, since TLS has its own tests. */
export function useServer(options: ServerOptions = {}): {
  readonly server: RunningServer;
  readonly caller: Caller;
} {
  let server: RunningServer | undefined;
  beforeAll(async () => {
    server = await startServer({ http: true, ...options });
  });
  afterAll(() => server?.close());
  const running = () => {
    if (server === undefined) throw new Error('the server runs only inside the tests');
    return server;
  };
  return {
    get server() {
      return running();
    },
    get caller() {
      return new Caller(running());
    },
  };
}

/** Starts servers that each test stops when it ends, and makes directories that it removes. */
export function useServers(): {
  start(options?: ServerOptions): Promise<RunningServer>;
  directory(): Promise<string>;
} {
  const servers: RunningServer[] = [];
  const directories: string[] = [];
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await Promise.all(directories.splice(0).map((path) => rm(path, { recursive: true, force: true })));
  });
  return {
    async start(options = {}) {
      const server = await startServer({ http: true, ...options });
      servers.push(server);
      return server;
    },
    async directory() {
      const path = await mkdtemp(join(tmpdir(), 'orgctl-test-'));
      directories.push(path);
      return path;
    },
  };
}
