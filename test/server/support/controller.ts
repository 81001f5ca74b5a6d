import type { RunningServer } from '../../../src/server/index.js';
import { type Answer, Caller } from './caller.js';

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
