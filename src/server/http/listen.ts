import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { readMessage, readSystemCode, UsageError } from '../../errors/errors.js';

/** Returns the port. @throws UsageError if it cannot listen there */
export function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const onError = (error: unknown) => reject(refuseListen(host, port, error));
    server.once('error', onError);
    server.listen({ host, port }, () => {
      server.off('error', onError);
      resolve(readPort(server.address()));
    });
  });
}

/** @throws UsageError if `listen` would fail now */
export async function probePort(host: string, port: number): Promise<void> {
  const probe = createServer();
  await listen(probe, host, port);
  probe.close();
  await once(probe, 'close');
}

export async function listenSomewhere(server: Server, host: string, port: number): Promise<number> {
  try {
    return await listen(server, host, port);
  } catch (error) {
    const cause = error instanceof UsageError ? error.cause : error;
    if (readSystemCode(cause) !== 'EADDRINUSE') throw error;
    return listen(server, host, 0);
  }
}

function readPort(address: AddressInfo | string | null): number {
  if (address === null || typeof address === 'string') throw new TypeError('the server has no port');
  return address.port;
}

function refuseListen(host: string, port: number, error: unknown): UsageError {
  const code = readSystemCode(error);
  if (code === 'EADDRINUSE') {
    return new UsageError(`port ${port} on ${host} is in use`, {
      hint: 'choose another port, or 0 for a free one',
      cause: error,
    });
  }
  if (code === 'EACCES') {
    return new UsageError(`port ${port} may not be used by this user`, {
      hint: 'choose a port above 1023, or 0 for a free one',
      cause: error,
    });
  }
  return new UsageError(`cannot listen on ${host}, port ${port}: ${readMessage(error)}`, {
    hint: 'listen on a name or address of this machine',
    cause: error,
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
