import { errorMessage } from '../../api/refusal-message.js';
import {
  type AuthenticationScheme,
  CredentialRefusal,
  type RequestHead,
  readHeader,
} from '../claim/claim.js';
import { shapeProblem, signatureHeader, verifySignature } from './signature.js';
import { explainTimestamp, isTimely } from './timestamp.js';

const keyHeader = signatureHeader.key.toLowerCase();
const timestampHeader = signatureHeader.timestamp.toLowerCase();
const signatureHeaderName = signatureHeader.signature.toLowerCase();

/** HMAC authentication: a signature over the request as received. */
export const hmacScheme: AuthenticationScheme = {
  mode: 'hmac',
  header: keyHeader,
  readClaim(head) {
    const { request, signature } = readSigned(head);
    const { keyId, timestamp } = request;
    return {
      keyId,
      checkHead(_secret, { clock, maxSkew }) {
        const now = clock();
        if (isTimely(timestamp, now, maxSkew)) {
          return shapeProblem(signature) === undefined ? undefined : wrongSignature;
        }
        const explain = () => explainTimestamp(timestamp, now, maxSkew);
        return new CredentialRefusal('timestamp', errorMessage.invalidTimestamp, explain);
      },
      checkBody: (secret, body) =>
        verifySignature(secret, { ...request, body }, signature) ? undefined : wrongSignature,
    };
  },
};

const wrongSignature = new CredentialRefusal(
  'signature',
  errorMessage.invalidSignature,
  'the signature does not match the request',
);

export function readSigned(head: RequestHead, body: Uint8Array = new Uint8Array()) {
  const read = (name: string) => readHeader(head, name) ?? '';
  const request = {
    method: head.method,
    target: head.target,
    timestamp: read(timestampHeader),
    contentType: read('content-type'),
    body,
    keyId: read(keyHeader),
  };
  return { request, signature: read(signatureHeaderName) };
}
