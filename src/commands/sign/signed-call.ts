import { isUtf8 } from 'node:buffer';
import { resolve } from 'node:path';
import type { Context } from '../../cli/context.js';
import { indentText } from '../../cli/help-format.js';
import { basicAuthorization } from '../../signing/basic/basic.js';
import { canonicalString, type SignableRequest, signedHeaders } from '../../signing/hmac/signature.js';
import { curlCommand } from '../../terminal/text/curl-command.js';

export interface RequestToSign {
  readonly method: string;
  /** Path and query below the base URL. */
  readonly target: string;
  readonly timestamp: string;
  readonly contentType: string | undefined;
  readonly body: Buffer;
}

type SignedCall = Awaited<ReturnType<typeof signedRequest>>;

/** Signs offline with the effective credential; the base URL only supplies path and address. */
export async function signedRequest(request: RequestToSign, context: Context) {
  const settings = context.settings();
  const credential = await settings.credential();
  const base = (await settings.baseUrl())?.value;
  const signable = signableBelow(base?.prefix, request);
  const caFile = (await settings.caFile())?.value;
  const isBasic = (await settings.auth()).value === 'basic';
  const { method, contentType, body } = request;
  return {
    ...{ method, contentType, body, target: signable.target },
    url: base && `${base.origin}${signable.target}`,
    caFile: caFile && resolve(context.system.cwd(), caFile),
    /** `undefined` in Basic mode, which signs nothing. */
    canonical: isBasic ? undefined : canonicalString(signable),
    authentication: isBasic
      ? { Authorization: basicAuthorization(credential) }
      : signedHeaders(credential, signable),
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

function listSignedHeaders({
  authentication,
  contentType,
}: SignedCall): readonly (readonly [name: string, value: string])[] {
  const typed: [string, string][] = contentType === undefined ? [] : [['Content-Type', contentType]];
  return [...Object.entries(authentication), ...typed];
}

/** A POSIX shell command that sends the request. Basic credentials contain the secret, so they are not arguments. */
export function toCurl(signed: SignedCall): string {
  const { method, url = '', caFile, authentication, body } = signed;
  const isSecret = signed.canonical === undefined;
  const headers = listSignedHeaders(signed).filter(([name]) => !isSecret || !(name in authentication));
  const secretHeaders = isSecret ? Object.entries(authentication) : [];
  return curlCommand({ method, url, caFile, headers, secretHeaders, body });
}

export function explanation(signed: SignedCall): string {
  const { canonical, url } = signed;
  const sections = [
    canonical === undefined
      ? 'Basic mode signs nothing: the header contains key ID and secret.\n'
      : canonicalSection('Canonical string', canonical),
    `Headers:\n${indentText(headerLines(signed), 2)}`,
    // Not indented, because that would also indent the body.
    url === undefined ? 'curl: none (no base URL is set)\n' : `curl:\n${toCurl(signed)}`,
  ];
  return sections.join('\n');
}

export function canonicalSection(heading: string, canonical: Buffer): string {
  return `${heading} (${canonical.length} bytes; ⏎ is a line feed, ␍ a carriage return):\n${indentText(visibleLines(canonical), 2)}`;
}

// In a string that is not UTF-8, bytes above 7F become \xNN. The printer escapes control characters.
function visibleLines(canonical: Buffer): string {
  const text = isUtf8(canonical)
    ? canonical.toString('utf8')
    : canonical.toString('latin1').replace(/[\x80-\xff]/g, (byte) => `\\x${byte.charCodeAt(0).toString(16)}`);
  const lines = text.replaceAll('\r', '␍').replaceAll('\n', '⏎\n');
  return lines.endsWith('\n') ? lines : `${lines}\n`;
}

export function headerLines(signed: SignedCall): string {
  return listSignedHeaders(signed)
    .map(([name, value]) => `${name}: ${value}\n`)
    .join('');
}

/** Bytes that are not UTF-8 are base64, in a field that says so. */
export function signedValue(signed: SignedCall): object {
  const { method, url, target, canonical, body } = signed;
  return {
    method,
    url,
    target,
    ...(canonical && textOrBase64('canonicalString', canonical)),
    headers: Object.fromEntries(listSignedHeaders(signed)),
    ...(body.length > 0 && textOrBase64('body', body)),
  };
}

function textOrBase64(name: string, bytes: Buffer): Record<string, string> {
  return isUtf8(bytes) ? { [name]: bytes.toString('utf8') } : { [`${name}Base64`]: bytes.toString('base64') };
}
