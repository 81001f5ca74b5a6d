import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, inject } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/index.js';
import { Caller } from './caller.js';
import { useDatabase } from './databases.js';

/** Any key will do: what the tests keep in a shared database is gone with it. */
export const masterKey = '5'.repeat(64);

/**
 * Says where a server keeps its data, on the engine that the suite runs over. Servers that are given the same `data`
 * share a database, too.
 */
function useEngine(): (options: ServerOptions) => Promise<ServerOptions> {
  if (inject('engine') !== 'postgresql') return (options) => Promise.resolve({ http: true, ...options });
  const database = useDatabase();
  const byDirectory = new Map<string, string>();
  return async (options) => {
    const known = byDirectory.get(options.data ?? '');
    const url = known ?? (await database.fresh());
    if (options.data !== undefined) byDirectory.set(options.data, url);
    return { http: true, database: url, ...(options.data === undefined && { masterKey }), ...options };
  };
}

/** One server for all tests of the calling file; plain HTTP unless asked otherwise, since TLS has its own tests. */
export function useServer(options: ServerOptions = {}): {
  readonly server: RunningServer;
  readonly caller: Caller;
} {
  let server: RunningServer | undefined;
  const onEngine = useEngine();
  beforeAll(async () => {
    server = await startServer(await onEngine(options));
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
  /** Starts a server on a fresh directory and stops it again. */
  usedDirectory(options?: ServerOptions): Promise<{ readonly data: string; readonly server: RunningServer }>;
} {
  const servers: RunningServer[] = [];
  const directories: string[] = [];
  const onEngine = useEngine();
  afterEach(async () => {
    await Promise.all(servers.splice(0).map((server) => server.close()));
    await Promise.all(directories.splice(0).map((path) => rm(path, { recursive: true, force: true })));
  });
  const start = async (options: ServerOptions = {}) => {
    const server = await startServer(await onEngine(options));
    servers.push(server);
    return server;
  };
  const directory = async () => {
    const path = await mkdtemp(join(tmpdir(), 'orgctl-test-'));
    directories.push(path);
    return path;
  };
  return {
    start,
    directory,
    async usedDirectory(options = {}) {
      const data = await directory();
      const server = await start({ data, ...options });
      await server.close();
      return { data, server };
    },
  };
}
