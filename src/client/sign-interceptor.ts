import { stringify } from 'node:querystring';
import type { Dispatcher } from 'undici';
import type { AuthMode } from '../contract/option-values.js';
import { isOriginForm } from '../contract/target.js';
import { basicAuthorization, type Credential } from '../signing/basic.js';
import { signatureHeader, signedHeaders } from '../signing/signature.js';
import { timestampOf } from '../signing/timestamp.js';

export interface SignOptions {
  readonly credential: Credential;
  /** Default: `hmac`. */
  readonly mode?: AuthMode | undefined;
  /** Milliseconds since the epoch; default: the system's clock. */
  readonly clock?: (() => number) | undefined;
}

/**
 * An undici interceptor that authenticates every request that passes it, at the moment it passes: put it inside any
 * retrying layer, and each attempt has a signature of its own (reference, section 5). Authentication that the request
 * already carries is replaced: the service refuses two.
 *
 * The body must be in memory (string, Buffer or Uint8Array): exactly its bytes are signed and sent. A stream, and a
 * path that cannot go on a request line as it is, are refused with a `TypeError`.
 */
export function signInterceptor(options: SignOptions): Dispatcher.DispatcherComposeInterceptor {
  return (dispatch) => (request, handler) => dispatch(authenticated(request, options), handler);
}

const authenticating = new Set(
  ['Authorization', ...Object.values(signatureHeader)].map((name) => name.toLowerCase()),
);

function authenticated(
  request: Dispatcher.DispatchOptions,
  options: SignOptions,
): Dispatcher.DispatchOptions {
  const { credential, mode = 'hmac' } = options;
  const headers = headerPairs(request.headers).filter(([name]) => !authenticating.has(name.toLowerCase()));
  if (mode === 'hmac') return signed(request, headers, options);
  return { ...request, headers: [...headers.flat(), 'Authorization', basicAuthorization(credential)] };
}

function signed(
  request: Dispatcher.DispatchOptions,
  headers: readonly HeaderPair[],
  { credential, clock = Date.now }: SignOptions,
): Dispatcher.DispatchOptions {
  const target = targetOf(request);
  const body = bodyBytes(request.body);
  const contentType = headers.find(([name]) => name.toLowerCase() === 'content-type')?.[1] ?? '';
  const timestamp = timestampOf(clock());
  const { query: _query, ...rest } = request;
  const signature = signedHeaders(credential, {
    method: request.method,
    target,
    timestamp,
    contentType,
    body,
  });
  return {
    ...rest,
    path: target,
    body: body.byteLength === 0 ? null : body,
    headers: [...headers, ...Object.entries(signature)].flat(),
  };
}

type HeaderPair = readonly [name: string, value: string];

/**
 * The headers of a request, in whichever form undici takes them, as pairs; repeated ones stay apart.
 *
 * @throws TypeError for what is neither an object of headers, pairs, nor a flat list of names and values
 */
export function headerPairs(headers: Dispatcher.DispatchOptions['headers']): HeaderPair[] {
  if (headers === undefined || headers === null) return [];
  const entries = isFlat(headers) ? pairUp(headers) : entriesOf(headers);
  return entries.flatMap(([name, value]) => [value ?? []].flat().map((one): HeaderPair => [name, one]));
}

type Entry = readonly [string, string | string[] | undefined];

function isFlat(headers: unknown): headers is string[] {
  return Array.isArray(headers) && typeof headers[0] === 'string';
}

function pairUp(flat: readonly string[]): Entry[] {
  if (flat.length % 2 !== 0) throw new TypeError('a flat list of headers has a value for each name');
  return flat.flatMap((name, at) => (at % 2 === 0 ? [[name, flat[at + 1]] satisfies Entry] : []));
}

function entriesOf(headers: NonNullable<Dispatcher.DispatchOptions['headers']>): Entry[] {
  if (!(Symbol.iterator in headers)) return Object.entries(headers);
  return [...headers].map((entry) => {
    if (Array.isArray(entry) && entry.length === 2) return entry;
    throw new TypeError('headers that are iterable hold pairs of name and value');
  });
}

/** Path and query as undici would write them on the request line. */
function targetOf({ path, query }: Dispatcher.DispatchOptions): string {
  const search = stringify(query ?? {});
  if (search !== '' && path.includes('?')) {
    throw new TypeError('a path that has a query of its own takes no "query" option');
  }
  const target = search === '' ? path : `${path}?${search}`;
  if (!isOriginForm(target)) {
    throw new TypeError('the path must begin with a single slash and be percent-encoded');
  }
  return target;
}

function bodyBytes(body: Dispatcher.DispatchOptions['body']): Uint8Array {
  if (body === undefined || body === null) return Buffer.alloc(0);
  if (typeof body === 'string') return Buffer.from(body);
  if (body instanceof Uint8Array) return body;
  throw new TypeError('only a body that is in memory can be signed: pass a string, a Buffer or a Uint8Array');
}
