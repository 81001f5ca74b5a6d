import { errorMessage } from '../../api/refusal-message.js';
import {
  type AuthenticationScheme,
  CredentialRefusal,
  type HeaderFields,
  readHeader,
} from '../claim/claim.js';
import { equalInConstantTime, explainBasicFormat, parseBasicAuthorization } from './basic.js';

/** Mode A: key ID and secret in the `Authorization` header (reference, section 5). */
export const basicScheme: AuthenticationScheme = {
  mode: 'basic',
  header: 'authorization',
  readKeyId: (headers) => parseBasicAuthorization(readAuthorization(headers))?.keyId,
  readProof({ headers }) {
    const authorization = readAuthorization(headers);
    const credential = parseBasicAuthorization(authorization);
    if (credential === undefined) {
      const explain = () => ({ reason: explainBasicFormat(authorization) });
      return new CredentialRefusal('format', errorMessage.invalidBasicFormat, explain);
    }
    const { keyId } = credential;
    return {
      keyId,
      checkHead: (secret) => (equalInConstantTime(secret, credential.secret) ? undefined : wrongSecret),
    };
  },
};

const wrongSecret = new CredentialRefusal(
  'secret',
  errorMessage.invalidSecret,
  'the secret is not that of the key',
);

function readAuthorization(headers: HeaderFields): string {
  return readHeader(headers, 'authorization') ?? '';
}
