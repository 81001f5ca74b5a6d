// Not `isIPv4` of node:net: every start reads this file, and loading Node's sockets takes a fifth of one.
const loopbackAddress = /^127(?:\.(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}$/;

/**
 * Whether a host name or address can only mean this machine: `localhost`, 127.0.0.0/8 and ::1, the latter with or
 * without URL brackets. Names below `localhost` are not among them: some resolvers ask the network for those.
 */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || loopbackAddress.test(bare);
}
