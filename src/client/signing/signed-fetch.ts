import { env as ownEnvironment } from 'node:process';
import { UsageError } from '../../errors/errors.js';
import { isLoopback } from '../../text/base-url.js';
import { untilAborted } from '../exchange/exchange.js';
import { readTrust, verifiedTls } from '../network/trusted-roots.js';
import { type SignOptions, withCredential } from './authenticate.js';
import { defaultMaxBodyBytes, readBytes } from './body-bytes.js';
import { requireOptions } from './client-options.js';

/** Any `fetch`: the platform's, undici's, or the program's own. */
export type AnyFetch = (input: never, init?: never) => Promise<unknown>;

/** The credential and other options of `signedFetch`. */
export interface SignedFetchOptions<Fetch extends AnyFetch = typeof fetch> extends SignOptions {
  /** Sends the request; default: the global `fetch` at the time of the call, so that mocks such as msw's apply. */
  readonly fetch?: Fetch | undefined;
  /** As for `createClient`. Passed to `fetch` as `dispatcher`; a `dispatcher` given to a call takes precedence. */
  readonly caFile?: string | undefined;
}

/**
 * A `fetch` that authenticates every request. Replaces authentication headers, and buffers the body (up to
 * `maxBodyBytes`) to send exactly the signed bytes.
 *
 * Follows no redirects: a signature covers one target, and a credential is meant for one origin. Returns 3xx responses;
 * with `redirect: 'error'`, rejects instead.
 * @typeParam Fetch the type of the given `fetch`
 * @returns a function that rejects with a UsageError for a request that it must not send or cannot sign, such as to an
 * address that is neither `https:` nor loopback, or with a body that is too large
 * @throws UsageError for invalid options; ConfigError for an unusable CA file
 */
export function signedFetch<Fetch extends AnyFetch = typeof fetch>(options: SignedFetchOptions<Fetch>): Fetch;
export function signedFetch(options: SignedFetchOptions): typeof fetch {
  requireOptions('signedFetch', options);
  const { caFile } = options;
  const openAgent = caFile === undefined ? undefined : trustingAgent(caFile);
  return async (input, init) => {
    const request = toRequest(input, init);
    const url = new URL(request.url);
    requireConfidential(url);
    const body = await readFetchBody(request, options);
    const { method } = request;
    const target = `${url.pathname}${url.search}`;
    const headers = new Headers();
    for (const [name, value] of withCredential([...request.headers], options, { method, target, body }))
      headers.append(name, value);
    const send = options.fetch ?? globalThis.fetch;
    return send(url, {
      ...(await openAgent?.()),
      ...init,
      method,
      headers,
      body: body.byteLength === 0 ? null : body,
      signal: request.signal,
      redirect: request.redirect === 'error' ? 'error' : 'manual',
    });
  };
}

/** The option `dispatcher` for `fetch`. `object`, because the types of undici and Node.js differ in details. */
function trustingAgent(caFile: string): () => Promise<object> {
  const makeContext = readTrust(caFile, ownEnvironment);
  let opened: Promise<object> | undefined;
  const open = async () => {
    const { Agent } = await import('undici');
    return { dispatcher: new Agent({ connect: { ...verifiedTls, secureContext: makeContext() } }) };
  };
  return () => (opened ??= open());
}

/** Copies each field, because the global `Request` would convert a request of another copy of undici to a string. */
function toRequest(input: Parameters<typeof fetch>[0], init: RequestInit = {}): Request {
  if (!isRequestLike(input)) return new Request(input, init);
  const { url, method, headers, body, signal, redirect } = input;
  return new Request(url, { method, headers: [...headers], body, signal, redirect, duplex: 'half', ...init });
}

function isRequestLike(input: unknown): input is Request {
  return typeof input === 'object' && input !== null && 'url' in input;
}

async function readFetchBody(
  { body, signal }: Request,
  { maxBodyBytes = defaultMaxBodyBytes }: SignOptions,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = readBytes(body, maxBodyBytes);
  return new Uint8Array(bytes instanceof Promise ? await untilAborted(bytes, signal) : bytes);
}

function requireConfidential({ protocol, hostname, origin }: URL): void {
  if (protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))) return;
  throw new UsageError(`${origin}: signed requests need https://; plain http:// is for loopback hosts only`);
}
