import type { Dispatcher } from 'undici';
import { UsageError } from '../../errors/errors.js';
import { parseBaseUrl } from '../../text/base-url.js';
import { requireSignOptions } from './client-options.js';
import { type OriginSignOptions, signingDispatch } from './signing-dispatch.js';

/** An interceptor for undici 6, 7 and 8: `new Agent().compose(interceptor)`. @typeParam Dispatch undici's `dispatch` */
export type SignInterceptor = <Dispatch extends (options: never, handler: never) => boolean>(
  dispatch: Dispatch,
) => Dispatch;

/**
 * An undici interceptor that authenticates every request. Put it inside any retry layer, so that each attempt gets its
 * own signature. Replaces authentication headers, because the service refuses two credentials.
 *
 * Signs for one origin: requests to any other origin fail with a UsageError, even after a redirect. Layers inside this
 * one follow no redirects.
 *
 * `hmac` sends exactly the signed bytes, so it buffers streams up to `maxBodyBytes`. A larger stream, a form, or an
 * invalid path fails with a UsageError before sending.
 * @throws UsageError for invalid options
 */
export function signInterceptor(options: OriginSignOptions): SignInterceptor;
export function signInterceptor(options: OriginSignOptions): Dispatcher.DispatcherComposeInterceptor {
  requireSignOptions(options);
  return signingDispatch({ ...options, origin: parseOrigin(options.origin) });
}

/** @throws UsageError for a path, and for an address that is neither `https:` nor loopback */
function parseOrigin(text: string): string {
  const { origin, prefix } = parseBaseUrl(text);
  if (prefix === '') return origin;
  throw new UsageError(`signInterceptor: \`origin\` must not have a path (${prefix})`, {
    hint: `use ${origin}`,
  });
}
