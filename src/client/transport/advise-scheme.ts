import type { Advice } from '../../errors/advice.js';
import { readSystemCode } from '../../errors/errors.js';
import { isLoopback } from '../../text/base-url.js';
import { isClosedByPeer, noTlsCodes } from './explain-failure.js';

/**
 * Suggests the base URL with the other scheme after a failure that a wrong scheme explains. Plain HTTP is for loopback
 * only, as in `parseBaseUrl`.
 */
export function adviseScheme(cause: unknown, origin: string): Advice | undefined {
  const { protocol, hostname } = new URL(origin);
  // A service that expects TLS may close plain connections without a response.
  if (protocol === 'http:' && isClosedByPeer(cause)) {
    return { hint: `if the service speaks HTTPS there, its base URL is ${withScheme(origin, 'https:')}` };
  }
  if (protocol === 'https:' && isLoopback(hostname) && noTlsCodes.has(readSystemCode(cause))) {
    return { hint: `if the service speaks plain HTTP there, its base URL is ${withScheme(origin, 'http:')}` };
  }
  return undefined;
}

function withScheme(origin: string, scheme: 'http:' | 'https:'): string {
  return origin.replace(/^https?:/, scheme);
}
