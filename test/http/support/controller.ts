import type { RunningServer, ServerOptions } from '../../../src/server/index.js';
import { type Answer, Caller } from '../../support/caller.js';
import { useServers } from '../../support/servers.js';

/** Calls a server's control API as its clients do, unless told otherwise. */
export function controller(server: RunningServer) {
  const caller = new Caller(server);
  return (
    method: string,
    path: string,
    body?: unknown,
    headers: Record<string, string | undefined> = {},
  ): Promise<Answer> =>
    caller.send(method, `/_control${path}`, {
      auth: 'none',
      body,
      headers: { authorization: `Bearer ${server.controlToken}`, ...headers },
    });
}

/** Starts servers with what calls their service and their control API. */
export function useControlledServers() {
  const servers = useServers();
  return {
    servers,
    async started(options: ServerOptions = {}) {
      const server = await servers.start(options);
      return { server, control: controller(server), caller: new Caller(server) };
    },
  };
}
