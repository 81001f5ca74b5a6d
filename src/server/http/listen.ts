import { once } from 'node:events';
import type { Server } from 'node:http';
import { readMessage, readSystemCode, UsageError } from '../../errors/errors.js';

/** Returns the port. @throws UsageError if it cannot listen there */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  try {
    await once(server.listen({ host, port }), 'listening');
  } catch (cause) {
    if (readSystemCode(cause) === 'EADDRINUSE') {
      const hint = 'choose another port, or 0 for a free one';
      throw new UsageError(`port ${port} on ${host} is in use`, { hint, cause });
    }
    const hint = 'listen on a name or address of this machine, and a free port above 1023';
    throw new UsageError(`cannot listen on ${host}, port ${port}: ${readMessage(cause)}`, { hint, cause });
  }
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return address.port;
}

/** Listens on a free port if that one is taken. */
export async function listenSomewhere(server: Server, host: string, port: number): Promise<number> {
  try {
    return await listen(server, host, port);
  } catch (error) {
    if (!(error instanceof UsageError) || readSystemCode(error.cause) !== 'EADDRINUSE') throw error;
    return listen(server, host, 0);
  }
}

const wildcards = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** The local names of this machine, the host unless it is a wildcard, and further names. */
export function certificateHosts(host: string, names: readonly string[] = []): string[] {
  const own = wildcards.has(host) ? [] : [host];
  return [...new Set(['localhost', '127.0.0.1', '::1', ...own, ...names])];
}

/** Writes a wildcard host as the loopback address. */
export function toUrl(scheme: 'http' | 'https', host: string, port: number): string {
  const name = wildcards.get(host) ?? host;
  return `${scheme}://${name.includes(':') ? `[${name}]` : name}:${port}`;
}
