import { once } from 'node:events';
import type { Server } from 'node:http';
import { readMessage, readSystemCode, UsageError } from '../../errors/errors.js';

const hostHint = 'listen on a name or address of this machine, and a free port above 1023';

function isTaken(error: unknown): boolean {
  return readSystemCode(error) === 'EADDRINUSE';
}

/** Returns the port. @throws UsageError if it cannot listen there */
export async function listen(server: Server, host: string, port: number): Promise<number> {
  await once(server.listen({ host, port }), 'listening').catch((cause: unknown) => {
    const [what, hint] = isTaken(cause)
      ? [`port ${port} on ${host} is in use`, 'choose another port, or 0 for a free one']
      : [`cannot listen on ${host}, port ${port}: ${readMessage(cause)}`, hostHint];
    throw new UsageError(what, { hint, cause });
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return address.port;
}

/** Listens on a free port if that one is taken. */
export function listenSomewhere(server: Server, host: string, port: number): Promise<number> {
  return listen(server, host, port).catch((error: unknown) => {
    if (error instanceof UsageError && isTaken(error.cause)) return listen(server, host, 0);
    throw error;
  });
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
