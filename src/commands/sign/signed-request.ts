import type { Context } from '../../context.js';
import { basicAuthorization } from '../../signing/basic.js';
import { canonicalString } from '../../signing/canonical-string.js';
import { signedHeaders } from '../../signing/signed-headers.js';

/** A request as it would be sent, target below the base URL. */
export interface UnsignedRequest {
  readonly method: string;
  readonly target: string;
  readonly timestamp: string;
  /** `undefined` where there is no body and so no header. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

export interface SignedRequest {
  readonly method: string;
  /** The whole URL; `undefined` when no base URL is known. */
  readonly url: string | undefined;
  /** As on the request line: the base URL's path included. */
  readonly target: string;
  /** `undefined` in Basic mode, which signs nothing. */
  readonly canonical: Buffer | undefined;
  /** In the order in which they are shown. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Signs with the effective credential, without a connection. A base URL is needed for its path alone. */
export async function signOffline(
  request: UnsignedRequest,
  context: Pick<Context, 'settings'>,
): Promise<SignedRequest> {
  const settings = context.settings();
  const credential = await settings.credential();
  const base = (await settings.baseUrl())?.value;
  const target = `${base?.prefix ?? ''}${request.target}`;
  const typed: Record<string, string> =
    request.contentType === undefined ? {} : { 'Content-Type': request.contentType };
  const url = base && `${base.origin}${target}`;
  const shown = { method: request.method, url, target, body: request.body };
  if ((await settings.auth()).value === 'basic') {
    const headers = { Authorization: basicAuthorization(credential), ...typed };
    return { ...shown, canonical: undefined, headers };
  }
  const signable = { ...request, target, contentType: request.contentType ?? '' };
  return {
    ...shown,
    canonical: canonicalString(signable),
    headers: { ...signedHeaders(credential, signable), ...typed },
  };
}
