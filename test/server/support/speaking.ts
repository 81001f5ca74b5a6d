import { expect } from 'vitest';
import type { DialectInput, RunningServer, ServerOptions } from '../../../src/server/index.js';
import { Caller } from './caller.js';
import { useServers } from './start.js';

/** Not held against the API's description, which is that of the reference dialect. */
export function callerOf(server: RunningServer): Caller {
  return new Caller(server, { atFault: true });
}

/** Servers of any dialect. */
export function useDialects() {
  const servers = useServers();
  const quotas = { teams: 100, connections: 100, 'api-keys': 5 };
  return {
    servers,
    async speaking(dialect: DialectInput | 'bare' | 'cursor' | 'camel', options: ServerOptions = {}) {
      const server = await servers.start({ dialect, quotas, ...options });
      return { server, caller: callerOf(server) };
    },
  };
}

export async function createTeams(caller: Caller, count: number, path = '/teams'): Promise<void> {
  for (let made = 1; made <= count; made += 1) {
    const answer = await caller.send('POST', path, { body: { name: `team ${made}` } });
    expect(answer.status).toBeLessThan(300);
  }
}
