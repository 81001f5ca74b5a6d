import { isIPv6 } from 'node:net';

const wildcards = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Names and addresses that a certificate for this host has to cover: every way to say "this machine", and the host. */
export function certificateHosts(host: string): string[] {
  const hosts = ['localhost', '127.0.0.1', '::1'];
  return hosts.includes(host) || wildcards.has(host) ? hosts : [...hosts, host];
}

/** The URL of a server that listens on this host and port; for one that listens everywhere, its address on this machine. */
export function urlOf(scheme: 'http' | 'https', host: string, port: number): string {
  const name = wildcards.get(host) ?? host;
  return `${scheme}://${isIPv6(name) ? `[${name}]` : name}:${port}`;
}
