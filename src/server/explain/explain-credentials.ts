import type { RefusedCredential, WireRequest } from '../../signing/refusals/explain-credential.js';
import type { Explanation } from '../../signing/refusals/refusal.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { HttpError } from '../http/http-error.js';
import type { WriteCommand } from '../options/server-options.js';

export type { WireRequest };

export interface ExplainingOptions {
  /** The scheme of this server's URLs, because some clients sign the whole URL. */
  readonly protocol: 'http' | 'https';
  readonly consoleAddress: () => string | undefined;
  readonly writeCommand: WriteCommand;
}

/** The error for a refused credential; the explanation is computed only on demand. */
export async function toCredentialError(
  refused: RefusedCredential<KeyCredential>,
  options: ExplainingOptions,
): Promise<HttpError> {
  const { check, statusCode, message } = refused.refusal;
  const explain = await prepareRefusal(refused, options);
  return new HttpError(statusCode, message, { check, explain, isExpensive: check === 'signature' });
}

export async function prepareRefusal(
  refused: RefusedCredential<KeyCredential>,
  options: ExplainingOptions,
): Promise<(thoroughly: boolean) => Explanation> {
  const { refusal, key, request } = refused;
  const preflight = explainPreflight(request);
  if (preflight !== undefined) return () => preflight;
  if (refusal.check === 'enabled' && key) return () => ({ reason: explainDisabled(key, options) });
  const { host } = request.headers;
  // The table of mistakes waits for the first refused signature.
  const { prepareExplaining } = await import('../../signing/refusals/explain-credential.js');
  return prepareExplaining(refused, host === undefined ? [] : [`${options.protocol}://${host}`]);
}

/** Browsers send no credential with the question whether a page may send a request. */
function explainPreflight({ method, headers: { origin, ...headers } }: WireRequest): Explanation | undefined {
  if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return undefined;
  return {
    reason: `a browser asks whether pages of ${sanitizedOrigin(origin)} may send requests (CORS preflight)`,
    advice: 'name this origin in the option cors of the server',
  };
}

function sanitizedOrigin(origin: WireRequest['headers'][string]): string {
  return /^https?:\/\/[\w.:[\]-]{1,100}$/.exec(String(origin))?.[0] ?? 'another origin';
}

function explainDisabled(
  { keyId }: KeyCredential,
  { consoleAddress, writeCommand }: ExplainingOptions,
): string {
  const address = consoleAddress();
  const reason = `${keyId} is disabled; enable it: ${writeCommand(['local', 'keys', 'enable', keyId])}`;
  return address === undefined ? reason : `${reason}, or in the console: ${address}/#/keys`;
}
