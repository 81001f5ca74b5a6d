import { isIPv4 } from 'node:net';

/**
 * Whether a host name or address can only mean this machine: `localhost`, 127.0.0.0/8 and ::1, the latter with or
 * without URL brackets. Names below `localhost` are not among them: some resolvers ask the network for those.
 */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'));
}
