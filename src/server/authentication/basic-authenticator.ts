import { errorMessage } from '../../api/error-message.js';
import { noSecret } from '../../signing/hmac/signature.js';
import { equalInConstantTime, parseBasicAuthorization } from '../../signing/index.js';
import { explainBasicFormat } from '../../signing/mistakes/explain-credential.js';
import { explainUnknownKey, explainWrongSecret } from '../explain/explain-credentials.js';
import { HttpError } from '../http/http-error.js';
import type { Check } from '../http/refusal.js';
import type { Authenticator } from './authenticator.js';

/** Mode A: key ID and secret in the `Authorization` header (reference, section 5). */
export const basicAuthenticator: Authenticator = {
  claims: (headers) => headers.authorization !== undefined,
  read({ headers: { authorization = '' } }) {
    const credential = parseBasicAuthorization(authorization);
    if (credential === undefined) {
      throw refused(errorMessage.invalidBasicFormat, 'format', () => explainBasicFormat(authorization));
    }
    const { keyId, secret } = credential;
    return {
      keyId,
      verifyHead(key) {
        const matches = equalInConstantTime(key?.secret ?? noSecret, secret);
        if (key === undefined) throw refused(errorMessage.invalidKey, 'key', () => explainUnknownKey(keyId));
        if (!matches) throw refused(errorMessage.invalidSecret, 'secret', () => explainWrongSecret(secret));
        return key;
      },
    };
  },
};

function refused(message: string, check: Check, reason: () => string): HttpError {
  return new HttpError(401, message, { check, explain: () => ({ reason: reason() }) });
}
