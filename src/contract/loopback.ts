import { isIPv4 } from 'node:net';

/**
 * Whether a host name or address can only mean this machine: `localhost`, `*.localhost` (RFC 6761, section 6.3),
 * 127.0.0.0/8 and ::1, the latter with or without URL brackets.
 */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  if (bare === 'localhost' || bare.endsWith('.localhost')) return true;
  return bare === '::1' || (isIPv4(bare) && bare.startsWith('127.'));
}
