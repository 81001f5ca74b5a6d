import type { Dispatcher } from 'undici';
import { requireSignOptions } from './client-options.js';
import { type SignOptions, signingDispatch } from './signing-dispatch.js';

/** An interceptor for the dispatchers of undici 6, 7 and 8: `new Agent().compose(interceptor)`. */
export type SignInterceptor = <Dispatch extends (options: never, handler: never) => boolean>(
  dispatch: Dispatch,
) => Dispatch;

/**
 * An undici interceptor that authenticates every request that passes it, at the moment it passes: put it inside any
 * retrying layer, and each attempt has a signature of its own (reference, section 5). Authentication that the request
 * already carries is replaced: the service refuses two.
 *
 * Exactly the bytes that are signed are sent. A body that is not in memory, such as a stream or what `fetch` passes on, is
 * gathered first, up to `maxBodyBytes`. A larger one, a form, and a path that cannot go on a request line as it is, are
 * refused with a UsageError, and nothing is sent.
 *
 * @throws UsageError for options that are not as they should be
 */
export function signInterceptor(options: SignOptions): SignInterceptor;
export function signInterceptor(options: SignOptions): Dispatcher.DispatcherComposeInterceptor {
  requireSignOptions(options);
  return signingDispatch(options);
}
