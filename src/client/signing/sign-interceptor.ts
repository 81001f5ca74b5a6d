import { stringify } from 'node:querystring';
import type { Dispatcher } from 'undici';
import { UsageError } from '../../errors/errors.js';
import { isOriginForm, parseBaseUrl } from '../../text/base-url.js';
import { type HeaderPair, type SignOptions, withCredential } from './authenticate.js';
import { defaultMaxBodyBytes, readBytes } from './body-bytes.js';
import { requireOptions } from './client-options.js';

/** Signing options for one service. */
export interface OriginSignOptions extends SignOptions {
  /** Such as `https://api.example.com`; plain `http:` only for loopback. Requests to other origins fail. */
  readonly origin: string;
}

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
  requireOptions('signInterceptor', options);
  const { origin } = parseBaseUrl(options.origin);
  const { auth, maxBodyBytes = defaultMaxBodyBytes } = options;
  return (dispatch) => (unbound, handler) => {
    if (readOrigin(unbound) !== origin) {
      fail(handler, foreignOriginError(unbound, origin));
      return true;
    }
    // A redirect followed inside this layer would leak the credential; 0 prevents that.
    const request = { ...unbound, origin, maxRedirections: 0 };
    if (auth === 'basic') {
      const { method, path: target } = request;
      const signed = { method, target, body: new Uint8Array() };
      const headers = withCredential(headerPairs(request.headers), options, signed).flat();
      return dispatch({ ...request, headers }, handler);
    }
    const body = readBytes(request.body, maxBodyBytes);
    if (!(body instanceof Promise)) return dispatch(signRequest(request, body, options), handler);
    body
      .then((bytes) => dispatch(signRequest(request, bytes, options), handler))
      .catch((error: unknown) => fail(handler, error));
    return true;
  };
}

/** The origin; `undefined` if the request names none, as for a `Client` or `Pool`. */
function readOrigin({ origin }: Dispatcher.DispatchOptions): string | undefined {
  const text = String(origin ?? '');
  return URL.canParse(text) ? new URL(text).origin : undefined;
}

function foreignOriginError(request: Dispatcher.DispatchOptions, origin: string): UsageError {
  const found = readOrigin(request);
  const what = found === undefined ? 'a request without `origin`' : `a request to ${found}`;
  return new UsageError(`${what} was not sent: requests are signed for ${origin} only`, {
    hint: 'set `origin` in the request; for another service, use a separate interceptor',
  });
}

interface Failing {
  onResponseError?(controller: unknown, error: unknown): void;
  onError?(error: unknown): void;
}

function fail(handler: Failing, error: unknown): void {
  if (handler.onResponseError === undefined) handler.onError?.(error);
  else handler.onResponseError(undefined, error);
}

function signRequest(
  request: Dispatcher.DispatchOptions,
  body: Uint8Array,
  options: SignOptions,
): Dispatcher.DispatchOptions {
  const { query: _query, method, ...rest } = request;
  const target = readTarget(request);
  const headers = withCredential(headerPairs(request.headers), options, { method, target, body }).flat();
  return { ...rest, method, path: target, headers, body: body.byteLength === 0 ? null : body };
}

/** Headers as pairs, from each form that undici documents; repeated headers stay separate. */
function headerPairs(headers: Dispatcher.DispatchOptions['headers']): HeaderPair[] {
  const given = headers ?? {};
  const entries = Symbol.iterator in given ? pairUp([...given]) : Object.entries(given);
  return entries.flatMap(([name, value]) => [value ?? []].flat().map((one): HeaderPair => [name, one]));
}

type HeaderEntry = readonly [string, string | string[] | undefined];

/** From a list of pairs, or of alternating names and values. */
function pairUp(list: readonly (string | HeaderEntry)[]): HeaderEntry[] {
  return list.flatMap((one, at): HeaderEntry[] => {
    if (typeof one !== 'string') return [one];
    const value = list[at + 1];
    return at % 2 === 0 && typeof value === 'string' ? [[one, value]] : [];
  });
}

function readTarget({ path, query }: Dispatcher.DispatchOptions): string {
  const search = stringify(query);
  const target = search === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${search}`;
  if (!isOriginForm(target)) {
    throw new UsageError('the path must begin with a single slash and be percent-encoded');
  }
  return target;
}
