import { errorMessage } from '../../contract/error-message.js';
import { explainBasicFormat } from '../../signing/explain-credential.js';
import { equalInConstantTime, parseBasicAuthorization } from '../../signing/index.js';
import { noSecret } from '../../signing/signature.js';
import { explainUnknownKey, explainWrongSecret } from '../explain/explain-credentials.js';
import type { Check } from '../explain/refusal.js';
import { HttpError } from '../pipeline/http-error.js';
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
