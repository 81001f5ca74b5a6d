import { resolve } from 'node:path';
import type { Context } from '../../cli/context.js';
import { ConfigError, type OrgctlError, UsageError } from '../../errors/errors.js';
import { basicAuthorization } from '../../signing/basic/basic.js';
import { canonicalString, type SignableRequest, signedHeaders } from '../../signing/hmac/signature.js';
import { curlCommand } from '../../terminal/text/curl-command.js';

export interface RequestToSign {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly target: string;
  /** Unix seconds. */
  readonly timestamp: string;
  /** `undefined` if none is sent. */
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

export interface SignedCall {
  readonly method: string;
  readonly url: string | undefined;
  readonly target: string;
  /** `undefined` in Basic mode, which signs nothing. */
  readonly canonical: Buffer | undefined;
  readonly authentication: Readonly<Record<string, string>>;
  readonly contentType: string | undefined;
  readonly body: Buffer;
  readonly caFile: string | undefined;
}

/** Signs offline with the effective credential; the base URL only supplies path and address. */
export async function signedRequest(request: RequestToSign, context: Context): Promise<SignedCall> {
  const settings = context.settings();
  const credential = await settings.credential();
  const base = (await settings.baseUrl())?.value;
  const signable = signableBelow(base?.prefix, request);
  const caFile = (await settings.caFile())?.value;
  const { method, contentType, body } = request;
  const call = {
    ...{ method, contentType, body, target: signable.target },
    url: base && `${base.origin}${signable.target}`,
    caFile: caFile && resolve(context.system.cwd(), caFile),
  };
  if ((await settings.auth()).value === 'basic') {
    const authentication = { Authorization: basicAuthorization(credential) };
    return { ...call, canonical: undefined, authentication };
  }
  return {
    ...call,
    canonical: canonicalString(signable),
    authentication: signedHeaders(credential, signable),
  };
}

/** The signed target includes the base URL's path. */
export function signableBelow(
  prefix: string | undefined,
  request: RequestToSign,
): SignableRequest & { readonly target: string } {
  const { target, contentType = '' } = request;
  return { ...request, target: `${prefix ?? ''}${target}`, contentType };
}

export function listSignedHeaders({
  authentication,
  contentType,
}: SignedCall): readonly (readonly [name: string, value: string])[] {
  const typed: [string, string][] = contentType === undefined ? [] : [['Content-Type', contentType]];
  return [...Object.entries(authentication), ...typed];
}

/** Why there is no curl command; `undefined` if there is one. */
export function curlRefusal({ url, method, body }: SignedCall): OrgctlError | undefined {
  if (url === undefined) {
    return new ConfigError('no base URL is set', {
      hint: 'give one: --base-url https://… or --profile NAME',
    });
  }
  if (method === 'HEAD' && body.length > 0) return new UsageError('curl sends no body with HEAD');
  return undefined;
}

/** A POSIX shell command that sends the request. Basic credentials contain the secret, so they are not arguments. */
export function toCurl(signed: SignedCall): string {
  const { method, url = '', caFile, authentication, body } = signed;
  const isSecret = signed.canonical === undefined;
  const headers = listSignedHeaders(signed).filter(([name]) => !isSecret || !(name in authentication));
  const secretHeaders = isSecret ? Object.entries(authentication) : [];
  return curlCommand({ method, url, caFile, headers, secretHeaders, body });
}
