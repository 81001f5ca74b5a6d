import type { IncomingMessage } from 'node:http';
import { claimedKeyId } from '../explain/key-name.js';
import type { Exchange } from './journal.js';

/** What is known of an exchange beside the request itself. */
export type Circumstances = Pick<Exchange, 'time' | 'status' | 'milliseconds' | 'fault'>;

/** An exchange whose request was answered before the service looked at it: no more is known of it than its head. */
export function unrouted(request: IncomingMessage, circumstances: Circumstances): Exchange {
  const { method = '', url = '/', rawHeaders, headers } = request;
  const key = headers['x-api-key'];
  return {
    ...circumstances,
    method,
    target: url,
    rawHeaders,
    keyId: claimedKeyId(typeof key === 'string' ? key : undefined),
  };
}

/** An exchange that began with what is no request: a hyphen stands for what is not known, as in other servers' logs. */
export function unreadable(circumstances: Circumstances): Exchange {
  return { ...circumstances, method: '-', target: '-', rawHeaders: [] };
}
