// Every start loads this file, and `isIPv4` would load Node's sockets.
const loopbackAddress = /^127(?:\.(?:0|[1-9]\d?|1\d\d|2[0-4]\d|25[0-5])){3}$/;

/** Accepts brackets. Excludes names below `localhost`, for which some resolvers ask the network. */
export function isLoopback(host: string): boolean {
  const bare = host.toLowerCase().replace(/^\[(.*)\]$/, '$1');
  return bare === 'localhost' || bare === '::1' || loopbackAddress.test(bare);
}
