import { stringify } from 'node:querystring';
import type { Dispatcher } from 'undici';
import type { AuthMode } from '../../api/option-values.js';
import { UsageError } from '../../errors/errors.js';
import { basicAuthorization, type Credential } from '../../signing/basic/basic.js';
import { signatureHeader, signedHeaders } from '../../signing/hmac/signature.js';
import { timestampOf } from '../../signing/hmac/timestamp.js';
import { isOriginForm } from '../../text/base-url.js';
import { defaultMaxBodyBytes, readBytes } from './body-bytes.js';

/** How to authenticate requests. */
export interface SignOptions extends Credential {
  /** `hmac` signs each request, `basic` sends the secret itself; default: `hmac`. */
  readonly auth?: AuthMode | undefined;
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
  /** Maximum bytes of a body to buffer for signing; default: 16 MiB. */
  readonly maxBodyBytes?: number | undefined;
}

/** Signing options for one service. */
export interface OriginSignOptions extends SignOptions {
  /** Such as `https://api.example.com`; plain `http:` only for loopback. Requests to other origins fail. */
  readonly origin: string;
}

export function signingDispatch(options: OriginSignOptions): Dispatcher.DispatcherComposeInterceptor {
  const { auth = 'hmac', maxBodyBytes = defaultMaxBodyBytes, origin } = options;
  return (dispatch) => (unbound, handler) => {
    if (readOrigin(unbound) !== origin) {
      fail(handler, foreignOriginError(unbound, origin));
      return true;
    }
    // A redirect followed inside this layer would leak the credential; 0 prevents that.
    const request = { ...unbound, origin, maxRedirections: 0 };
    if (auth === 'basic') return dispatch(withCredential(request, options), handler);
    const body = readBytes(request.body, maxBodyBytes);
    if (!(body instanceof Promise)) return dispatch(signDispatch(request, body, options), handler);
    body
      .then((bytes) => dispatch(signDispatch(request, bytes, options), handler))
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

const authenticating = new Set(
  ['Authorization', ...Object.values(signatureHeader)].map((name) => name.toLowerCase()),
);

export function isAuthenticating(name: string): boolean {
  return authenticating.has(name.toLowerCase());
}

function withCredential(
  request: Dispatcher.DispatchOptions,
  credential: Credential,
): Dispatcher.DispatchOptions {
  const headers = readUnsignedHeaders(request);
  return { ...request, headers: [...headers.flat(), 'Authorization', basicAuthorization(credential)] };
}

function readUnsignedHeaders({ headers }: Dispatcher.DispatchOptions): HeaderPair[] {
  return headerPairs(headers).filter(([name]) => !isAuthenticating(name));
}

function signDispatch(
  request: Dispatcher.DispatchOptions,
  body: Uint8Array,
  { keyId, secret, clock = Date.now }: SignOptions,
): Dispatcher.DispatchOptions {
  const headers = readUnsignedHeaders(request);
  const target = readTarget(request);
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const timestamp = timestampOf(clock());
  const { query: _query, ...rest } = request;
  const { method } = request;
  const signature = signedHeaders({ keyId, secret }, { method, target, timestamp, contentType, body });
  return {
    ...rest,
    path: target,
    body: body.byteLength === 0 ? null : body,
    headers: [...headers, ...Object.entries(signature)].flat(),
  };
}

type HeaderPair = readonly [name: string, value: string];

/** Headers as pairs; repeated headers stay separate. @throws UsageError for a form that undici does not accept */
export function headerPairs(headers: Dispatcher.DispatchOptions['headers']): HeaderPair[] {
  if (headers === undefined || headers === null) return [];
  const entries = isFlat(headers) ? pairUp(headers) : listHeaderEntries(headers);
  return entries.flatMap(([name, value]) => [value ?? []].flat().map((one): HeaderPair => [name, one]));
}

type HeaderEntry = readonly [string, string | string[] | undefined];

function isFlat(headers: unknown): headers is string[] {
  return Array.isArray(headers) && typeof headers[0] === 'string';
}

function pairUp(flat: readonly string[]): HeaderEntry[] {
  if (flat.length % 2 !== 0) throw new UsageError('a flat list of headers must have a value for each name');
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]] satisfies HeaderEntry] : []));
}

function listHeaderEntries(headers: NonNullable<Dispatcher.DispatchOptions['headers']>): HeaderEntry[] {
  if (!(Symbol.iterator in headers)) return Object.entries(headers);
  return [...headers].map((entry) => {
    if (Array.isArray(entry) && entry.length === 2) return entry;
    throw new UsageError('iterable headers must be pairs of name and value');
  });
}

function readTarget({ path, query }: Dispatcher.DispatchOptions): string {
  const search = stringify(query);
  if (search !== '' && path.includes('?')) {
    throw new UsageError('a path with a query cannot be combined with the "query" option');
  }
  const target = search === '' ? path : `${path}?${search}`;
  if (!isOriginForm(target)) {
    throw new UsageError('the path must begin with a single slash and be percent-encoded');
  }
  return target;
}
