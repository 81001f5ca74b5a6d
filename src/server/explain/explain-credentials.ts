import type { RefusedCredential, WireRequest } from '../../signing/refusals/explain-credential.js';
import type { Explanation } from '../../signing/refusals/refusal.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { HttpError } from '../http/answer.js';

export type { WireRequest };

/**
 * The error for a refused credential; the explanation is computed only on demand.
 * @param protocol of this server's URLs, because some clients sign the whole URL
 */
export async function toCredentialError(
  refused: RefusedCredential<KeyCredential>,
  protocol: 'http' | 'https',
): Promise<HttpError> {
  const { check, statusCode, message } = refused.refusal;
  const explain = await prepareRefusal(refused, protocol);
  return new HttpError(statusCode, message, { check, explain, isExpensive: check === 'signature' });
}

async function prepareRefusal(
  refused: RefusedCredential<KeyCredential>,
  protocol: 'http' | 'https',
): Promise<(thoroughly: boolean) => Explanation> {
  const { refusal, key, request } = refused;
  const { host, origin } = request.headers;
  // Browsers send no credential with the question whether a page may send a request.
  if (request.method === 'OPTIONS' && request.headers['access-control-request-method'] !== undefined) {
    const asking = /^https?:\/\/[\w.:[\]-]{1,100}$/.exec(String(origin))?.[0] ?? 'another origin';
    const reason = `a browser asks whether pages of ${asking} may send requests (CORS preflight)`;
    return () => ({ reason, advice: 'name this origin in the option cors of the server' });
  }
  if (refusal.check === 'enabled' && key) {
    const { keyId } = key;
    return () => ({ reason: `${keyId} is disabled; enable it: orgctl local keys enable ${keyId}` });
  }
  // The table of mistakes waits for the first refused signature.
  const { prepareExplaining } = await import('../../signing/refusals/explain-credential.js');
  return prepareExplaining(refused, host === undefined ? [] : [`${protocol}://${host}`]);
}
