import { errorMessage } from '../../api/refusal-message.js';
import { type AuthenticationScheme, CredentialRefusal, readHeader } from '../claim/claim.js';
import { equalInConstantTime, explainBasicFormat, parseBasicAuthorization } from './basic.js';

/** Basic authentication: key ID and secret in the `Authorization` header. */
export const basicScheme: AuthenticationScheme = {
  mode: 'basic',
  header: 'authorization',
  readClaim(head) {
    const authorization = readHeader(head, 'authorization') ?? '';
    const credential = parseBasicAuthorization(authorization);
    if (credential === undefined) {
      const explain = () => ({ reason: explainBasicFormat(authorization) });
      return new CredentialRefusal('format', errorMessage.invalidBasicFormat, explain);
    }
    const { keyId, secret: given } = credential;
    return { keyId, checkHead: (secret) => (equalInConstantTime(secret, given) ? undefined : wrongSecret) };
  },
};

const wrongSecret = new CredentialRefusal('secret', errorMessage.invalidSecret, 'wrong secret for this key');
