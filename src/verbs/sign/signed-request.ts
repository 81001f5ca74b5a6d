import { resolve } from 'node:path';
import type { Context } from '../../cli/context.js';
import { ConfigError, type OrgctlError, UsageError } from '../../errors/errors.js';
import { basicAuthorization } from '../../signing/basic/basic.js';
import { canonicalString, type SignableRequest } from '../../signing/hmac/canonical-string.js';
import { signedHeaders } from '../../signing/hmac/signature.js';
import { curlCommand } from '../../terminal/text/curl-command.js';
import type { RequestToSign } from './request-to-sign.js';

/** A request with all that it takes to send it. */
export interface SignedRequest {
  readonly method: string;
  /** The whole URL; `undefined` when no base URL is known. */
  readonly url: string | undefined;
  /** As on the request line: the base URL's path included. */
  readonly target: string;
  /** `undefined` in Basic mode, which signs nothing. */
  readonly canonical: Buffer | undefined;
  /** What authenticates the request, in the order in which it is shown. */
  readonly authentication: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly body: Buffer;
  /** Absolute path of the CAs that are trusted in addition to the system's. */
  readonly caFile: string | undefined;
}

/** Signs with the effective credential, without a connection. A base URL is needed for its path and address alone. */
export async function signedRequest(
  request: RequestToSign,
  context: Pick<Context, 'settings' | 'system'>,
): Promise<SignedRequest> {
  const settings = context.settings();
  const credential = await settings.credential();
  const base = (await settings.baseUrl())?.value;
  const signable = signableBelow(base?.prefix, request);
  const caFile = (await settings.caFile())?.value;
  const isBasic = (await settings.auth()).value === 'basic';
  return {
    method: request.method,
    url: base && `${base.origin}${signable.target}`,
    target: signable.target,
    canonical: isBasic ? undefined : canonicalString(signable),
    authentication: isBasic
      ? { Authorization: basicAuthorization(credential) }
      : signedHeaders(credential, signable),
    contentType: request.contentType,
    body: request.body,
    caFile: caFile && resolve(context.system.cwd(), caFile),
  };
}

/** What is signed of a request: its target has the base URL's path in front (contract, section 2). */
export function signableBelow(
  prefix: string | undefined,
  request: RequestToSign,
): SignableRequest & { readonly target: string } {
  const { target, contentType = '' } = request;
  return { ...request, target: `${prefix ?? ''}${target}`, contentType };
}

/** All headers that the request needs, in the order in which they are shown. */
export function headersOf({
  authentication,
  contentType,
}: SignedRequest): readonly (readonly [name: string, value: string])[] {
  const typed: [string, string][] = contentType === undefined ? [] : [['Content-Type', contentType]];
  return [...Object.entries(authentication), ...typed];
}

/** Why there is no curl command for a request; `undefined` when there is one. */
export function curlRefusal({ url, method, body }: SignedRequest): OrgctlError | undefined {
  if (url === undefined) {
    return new ConfigError('no base URL is known, so there is no address to send to', {
      hint: 'give one: --base-url https://… or --profile NAME',
    });
  }
  if (method === 'HEAD' && body.length > 0) return new UsageError('curl sends no body with HEAD');
  return undefined;
}

/** A command line for a POSIX shell that sends the request. Basic credentials are the secret itself, and no arguments. */
export function curlOf(signed: SignedRequest): string {
  const { method, url = '', caFile, authentication, body } = signed;
  const isSecret = signed.canonical === undefined;
  const headers = headersOf(signed).filter(([name]) => !isSecret || !(name in authentication));
  const secretHeaders = isSecret ? Object.entries(authentication) : [];
  return curlCommand({ method, url, caFile, headers, secretHeaders, body });
}
