import { glob } from '../../text/glob.js';
import { readPath } from '../../text/target-path.js';
import type { KeptExchange } from './kept-exchange.js';

/** A filter of requests; all given conditions must hold. */
export interface JournalFilter {
  /** The key it was authenticated with, or the one that it claims. */
  readonly key?: string | undefined;
  /** In upper case. */
  readonly method?: string | undefined;
  /** Of the target, without its query; `*` stands for any characters. */
  readonly path?: string | undefined;
  /** A status such as `404`, or a hundred such as `4xx`. */
  readonly status?: number | string | undefined;
  /** Only the refused, or only the others. */
  readonly refused?: boolean | undefined;
}

/** Whether a request is among those meant. */
export function wantedBy({
  key,
  method,
  path,
  status,
  refused,
}: JournalFilter): (kept: KeptExchange) => boolean {
  const isPath = path === undefined ? undefined : glob(path);
  return (kept) =>
    (key === undefined || kept.keyId === key) &&
    (method === undefined || kept.method === method) &&
    (refused === undefined || kept.isRefused === refused) &&
    (status === undefined || isStatus(kept.status, String(status))) &&
    (isPath === undefined || isPath(readPath(kept.target)));
}

function isStatus(status: number | undefined, wanted: string): boolean {
  if (status === undefined) return false;
  return wanted.endsWith('xx') ? wanted.startsWith(String(status).slice(0, 1)) : wanted === String(status);
}
