import type { Dispatcher } from 'undici';
import { UsageError } from '../../errors/errors.js';
import { parseBaseUrl } from '../../text/base-url.js';
import { requireSignOptions } from './client-options.js';
import { type OriginSignOptions, signingDispatch } from './signing-dispatch.js';

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
 * It signs for one origin. A request to another one, such as a redirect that an outer layer follows, fails with a
 * UsageError: it is neither signed nor sent. So does a request that names no origin. Layers inside this one follow no
 * redirects: the service's answer is returned as it is.
 *
 * Exactly the signed bytes are sent. A body that is not in memory, such as a stream, is buffered first, up to
 * `maxBodyBytes`. A larger body, a form, or a path that cannot go on a request line as it is fails with a UsageError,
 * and nothing is sent.
 *
 * @throws UsageError for invalid options
 */
export function signInterceptor(options: OriginSignOptions): SignInterceptor;
export function signInterceptor(options: OriginSignOptions): Dispatcher.DispatcherComposeInterceptor {
  requireSignOptions(options);
  return signingDispatch({ ...options, origin: parseOrigin(options.origin) });
}

/** @throws UsageError for anything but scheme, host and port, and for plain HTTP to another machine */
function parseOrigin(text: string): string {
  const { origin, prefix } = parseBaseUrl(text);
  if (prefix === '') return origin;
  throw new UsageError(`signInterceptor: \`origin\` must not have a path (${prefix})`, {
    hint: `give ${origin}`,
  });
}
