import { afterAll, beforeAll } from 'vitest';
import { type RunningServer, type ServerOptions, startServer } from '../../src/server/index.js';
import { emptyEnvironment } from './run-cli.js';

/** A real service for one test file, and an environment that selects it. */
export interface Service {
  readonly server: RunningServer;
  /** A fresh configuration directory each time, and the first key's credentials. */
  environment(changes?: Record<string, string | undefined>): Record<string, string | undefined>;
}

/** Runs a service during the calling file's tests; by default over plain HTTP, because TLS has its own tests. */
export function useService(options: ServerOptions = {}): Service {
  let running: RunningServer | undefined;
  beforeAll(async () => {
    running = await startServer({ http: true, ...options });
  });
  afterAll(async () => {
    await running?.close();
  });
  const server = () => {
    if (running === undefined) throw new Error('the service runs only inside the tests');
    return running;
  };
  return {
    get server() {
      return server();
    },
    environment: (changes = {}) => ({ ...emptyEnvironment(), ...serviceEnvironment(server()), ...changes }),
  };
}

/** The variables that select a server. */
export function serviceEnvironment(
  server: Pick<RunningServer, 'url' | 'keyId' | 'secret' | 'caFile'>,
): Record<string, string> {
  return {
    ORGCTL_BASE_URL: server.url,
    ORGCTL_KEY_ID: server.keyId,
    ORGCTL_SECRET: server.secret,
    ...(server.caFile === undefined ? {} : { ORGCTL_CA_FILE: server.caFile }),
  };
}
