import type { IncomingMessage } from 'node:http';
import type { Answer } from './http/answer.js';

/** Headers that pages may read beside the usual ones. */
const exposed = 'Date, Retry-After, X-Quota-Limit, X-Quota-Used, X-Quota-Remaining';

/** Lets the pages of these origins read responses. */
export function corsHeaders({ headers: { origin } }: IncomingMessage, origins: readonly string[]): string[] {
  if (origin === undefined || !origins.includes(origin)) return [];
  const names = ['Access-Control-Expose-Headers', exposed];
  return ['Access-Control-Allow-Origin', origin, 'Vary', 'Origin', ...names];
}

/** The answer to a browser that asks whether a page may send a request, which has no credential. */
export function answerPreflight(
  { method, headers }: IncomingMessage,
  origins: readonly string[] = [],
): Answer | undefined {
  const asked = headers['access-control-request-method'];
  if (method !== 'OPTIONS' || asked === undefined || !origins.includes(headers.origin ?? ''))
    return undefined;
  const methods = ['Access-Control-Allow-Methods', 'GET, HEAD, POST, PATCH, DELETE'];
  const names = ['Access-Control-Allow-Headers', headers['access-control-request-headers'] ?? '*'];
  return { status: 204, headers: [...methods, ...names, 'Access-Control-Max-Age', '600'], body: '' };
}
