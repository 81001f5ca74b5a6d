import { ConfigError, type OrgctlError, UsageError } from '../../errors.js';
import { curlCommand } from '../../terminal/curl-command.js';
import { headersOf, type SignedRequest } from './signed-request.js';

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
