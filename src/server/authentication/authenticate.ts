import { errorMessage } from '../../contract/error-message.js';
import type { KeyCredential } from '../../storage/api-keys.js';
import { HttpError } from '../pipeline/http-error.js';
import type { Authenticator, Claim, ReceivedRequest } from './authenticator.js';

/**
 * Reads the credential of a request, which has to use exactly one of the modes (reference, section 5).
 * @throws HttpError when it is refused (reference, section 7).
 */
export function readClaim(authenticators: readonly Authenticator[], request: ReceivedRequest): Claim {
  const claiming = authenticators.filter(({ claims }) => claims(request.headers));
  const [authenticator] = claiming;
  if (claiming.length > 1)
    throw refused(400, errorMessage.multipleCredentials, 'both Authorization and X-API-Key were sent');
  // Neither credential is there: the reference has no message of its own for that, so this is ours.
  if (!authenticator) throw refused(401, errorMessage.invalidKey, 'the request carries no credential');
  return authenticator.read(request);
}

/**
 * To be asked of a key that is verified: only a request that knows the secret may learn it.
 * @throws HttpError 403 when the key is disabled (reference, section 3).
 */
export function requireEnabled({ enabled, keyId }: KeyCredential): void {
  if (enabled) return;
  const explain = () => ({
    reason: `${keyId} is disabled; enable it again: orgctl local keys enable ${keyId}`,
  });
  throw new HttpError(403, errorMessage.keyDisabled, { check: 'enabled', explain });
}

function refused(status: number, message: string, reason: string): HttpError {
  return new HttpError(status, message, { check: 'credentials', explain: () => ({ reason }) });
}
