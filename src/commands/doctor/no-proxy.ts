/**
 * Whether `NO_PROXY` names a host, by the rules of the client's own library (undici's EnvHttpProxyAgent): names
 * separated by commas or spaces, each for its subdomains too, with or without a leading `.` or `*.` and a port; `*`
 * alone is for all.
 *
 * @param host in lower case, an IPv6 address in brackets
 */
export function bypassesProxy(noProxy: string, host: string, port: number): boolean {
  if (noProxy === '*') return true;
  return noProxy
    .split(/[,\s]/)
    .filter((entry) => entry !== '')
    .some((entry) => {
      const [, name = entry, ownPort] = /^(.+):(\d+)$/.exec(entry) ?? [];
      const bare = name.replace(/^\*?\./, '').toLowerCase();
      const isPort = !Number(ownPort) || Number(ownPort) === port;
      return isPort && (host === bare || host.endsWith(`.${bare}`));
    });
}
