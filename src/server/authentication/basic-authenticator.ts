import { errorMessage } from '../../contract/error-message.js';
import { equalInConstantTime, parseBasicAuthorization } from '../../signing/index.js';
import { HttpError } from '../http-error.js';
import { type Authenticator, type FindKey, noSecret } from './authenticator.js';

/** Mode A: key ID and secret in the `Authorization` header (reference, section 5). */
export function basicAuthenticator(findKey: FindKey): Authenticator {
  return {
    claims: (headers) => headers.authorization !== undefined,
    async authenticate({ headers }) {
      const credential = parseBasicAuthorization(headers.authorization ?? '');
      if (credential === undefined) throw new HttpError(401, errorMessage.invalidBasicFormat);
      const key = await findKey(credential.keyId);
      const matches = equalInConstantTime(key?.secret ?? noSecret, credential.secret);
      if (key === undefined) throw new HttpError(401, errorMessage.invalidKey);
      if (!matches) throw new HttpError(401, errorMessage.invalidSecret);
      return key;
    },
  };
}
