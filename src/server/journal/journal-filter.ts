import { readPath } from '../../text/base-url.js';
import { parseMoment } from '../../text/duration.js';
import { glob } from '../../text/glob.js';
import type { KeptExchange } from './kept-exchange.js';

/** All given conditions must hold. */
export interface JournalFilter {
  readonly key?: string | undefined;
  readonly method?: string | undefined;
  /** Without the query; `*` matches any characters. */
  readonly path?: string | undefined;
  /** A status such as `404`, or a class such as `4xx`. */
  readonly status?: number | string | undefined;
  readonly refused?: boolean | undefined;
  /** ISO 8601, or an age such as `10m`, by the server's clock. */
  readonly since?: string | undefined;
}

/** @param now milliseconds since the epoch, by the server's clock */
export function wantedBy(
  { key, method, path, status, refused, since }: JournalFilter,
  now: number,
): (kept: KeptExchange) => boolean {
  const earliest = since === undefined ? undefined : (parseMoment(since, now) ?? Number.NaN);
  const isPath = path === undefined ? undefined : glob(path);
  return (kept) =>
    (key === undefined || kept.keyId === key) &&
    (method === undefined || kept.method === method) &&
    (earliest === undefined || kept.time >= earliest) &&
    (refused === undefined || kept.isRefused === refused) &&
    (status === undefined || isStatus(kept.status, String(status))) &&
    (isPath === undefined || isPath(readPath(kept.target)));
}

function isStatus(status: number | undefined, wanted: string): boolean {
  if (status === undefined) return false;
  return wanted.endsWith('xx') ? wanted.startsWith(String(status).slice(0, 1)) : wanted === String(status);
}
