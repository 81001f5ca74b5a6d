import { UsageError } from '../../errors/errors.js';
import { basicAuthorization } from '../../signing/basic/basic.js';
import { signedHeaders } from '../../signing/hmac/signature.js';
import { timestampOf } from '../../signing/hmac/timestamp.js';
import { isLoopback } from '../../text/loopback.js';
import { defaultMaxBodyBytes, readBytes } from './body-bytes.js';
import { requireFetchOptions } from './client-options.js';
import { isAuthenticating, type SignOptions } from './signing-dispatch.js';

/** The credential and the mode for a signed `fetch`. */
export interface SignedFetchOptions extends SignOptions {
  /** Sends the request; default: the platform's `fetch`. */
  readonly fetch?: typeof fetch | undefined;
}

/**
 * A `fetch` that authenticates every request. Replaces existing authentication headers, and buffers the body (up to
 * `maxBodyBytes`) so that exactly the signed bytes are sent.
 *
 * Follows no redirects: a signature covers its target, and a credential belongs to its origin. Returns a 3xx response,
 * or rejects with `redirect: 'error'`.
 *
 * @returns a function that rejects with a UsageError for an address that is neither `https:` nor loopback, or a body
 * that is too large
 * @throws UsageError for invalid options
 */
export function signedFetch(options: SignedFetchOptions): typeof fetch {
  requireFetchOptions(options);
  const { fetch: send = globalThis.fetch } = options;
  return async (input, init) => {
    const request = new Request(input, init);
    const url = new URL(request.url);
    requireConfidential(url);
    const body = await readFetchBody(request, options);
    const headers = new Headers([...request.headers].filter(([name]) => !isAuthenticating(name)));
    for (const [name, value] of authentication(request, url, body, options)) headers.set(name, value);
    return send(url, {
      ...init,
      method: request.method,
      headers,
      body: body.byteLength === 0 ? null : body,
      signal: request.signal,
      redirect: request.redirect === 'error' ? 'error' : 'manual',
    });
  };
}

async function readFetchBody(
  { body, signal }: Request,
  { maxBodyBytes = defaultMaxBodyBytes }: SignOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await unlessAborted(readBytes(body, maxBodyBytes), signal));
}

/** Rejects when the request is aborted first: a stream may never end. */
function unlessAborted<Value>(work: Value | Promise<Value>, signal: AbortSignal): Value | Promise<Value> {
  if (!(work instanceof Promise)) return work;
  return new Promise((resolve, reject) => {
    const onAbort = () => reject(signal.reason);
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort);
    work.then(resolve, reject);
  });
}

function authentication(
  { method, headers }: Request,
  { pathname, search }: URL,
  body: Uint8Array,
  { keyId, secret, auth = 'hmac', clock = Date.now }: SignOptions,
): [name: string, value: string][] {
  if (auth === 'basic') return [['Authorization', basicAuthorization({ keyId, secret })]];
  const contentType = headers.get('content-type') ?? '';
  const timestamp = timestampOf(clock());
  const target = `${pathname}${search}`;
  return Object.entries(signedHeaders({ keyId, secret }, { method, target, timestamp, contentType, body }));
}

function requireConfidential({ protocol, hostname, origin }: URL): void {
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
  throw new UsageError(`${origin}: signed requests need https://; plain http:// is for loopback hosts only`);
}
