import { UsageError } from '../../errors.js';

/** The number of a TCP port. @throws UsageError naming where the text comes from, such as `--port` */
export function parsePort(text: string, source: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : 0;
  if (port >= 1 && port <= 65_535) return port;
  throw new UsageError(`${source} ${text}: not a port`, { hint: 'a whole number from 1 to 65535' });
}
