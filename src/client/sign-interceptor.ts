import type { Dispatcher } from 'undici';
import { requireSignOptions } from './client-options.js';
import { type SignOptions, signingDispatch } from './signing-dispatch.js';

/**
 * An interceptor for the dispatchers of undici 6, 7 and 8: `new Agent().compose(interceptor)`.
 *
 * @typeParam Dispatch undici's own, of whichever version
 */
export type SignInterceptor = <Dispatch extends (options: never, handler: never) => boolean>(
  dispatch: Dispatch,
) => Dispatch;

/**
 * An undici interceptor that authenticates every request as it passes: put it inside any retry layer, so that each
 * attempt gets its own signature (reference, section 5). It replaces authentication headers that the request already
 * has: the service refuses two credentials.
 *
 * Exactly the signed bytes are sent. A body that is not in memory, such as a stream, is buffered first, up to
 * `maxBodyBytes`. A larger body, a form, or a path that cannot go on a request line as it is fails with a UsageError,
 * and nothing is sent.
 *
 * @throws UsageError for invalid options
 */
export function signInterceptor(options: SignOptions): SignInterceptor;
export function signInterceptor(options: SignOptions): Dispatcher.DispatcherComposeInterceptor {
  requireSignOptions(options);
  return signingDispatch(options);
}
