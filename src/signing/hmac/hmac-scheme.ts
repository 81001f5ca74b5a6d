import { errorMessage } from '../../api/refusal-message.js';
import {
  type AuthenticationScheme,
  CredentialRefusal,
  type RequestHead,
  readHeader,
} from '../claim/claim.js';
import { type SignableRequest, shapeProblem, signatureHeader, verifySignature } from './signature.js';
import { explainTimestamp, isTimely } from './timestamp.js';

const keyHeader = signatureHeader.key.toLowerCase();
const timestampHeader = signatureHeader.timestamp.toLowerCase();
const nameOfSignature = signatureHeader.signature.toLowerCase();

/** Mode B: a signature over the request as received (reference, section 5). */
export const hmacScheme: AuthenticationScheme = {
  mode: 'hmac',
  header: keyHeader,
  readKeyId: (headers) => readHeader(headers, keyHeader),
  readProof: (head) => ({
    keyId: readHeader(head.headers, keyHeader) ?? '',
    checkHead(_secret, { clock, maxSkew }) {
      const { headers } = head;
      const timestamp = readHeader(headers, timestampHeader) ?? '';
      const now = clock();
      if (!isTimely(timestamp, now, maxSkew)) return refuseTimestamp(timestamp, now, maxSkew);
      // A body changes nothing about that.
      const shape = shapeProblem(readHeader(headers, nameOfSignature) ?? '');
      return shape === undefined ? undefined : wrongSignature;
    },
    checkBody(secret, body) {
      const { request, signature } = readSigned(head, body);
      return verifySignature(secret, request, signature) ? undefined : wrongSignature;
    },
  }),
};

const wrongSignature = new CredentialRefusal(
  'signature',
  errorMessage.invalidSignature,
  'the signature does not fit the request',
);

function refuseTimestamp(header: string, now: number, maxSkew: number): CredentialRefusal {
  const explain = () => explainTimestamp(header, now, maxSkew);
  return new CredentialRefusal('timestamp', errorMessage.invalidTimestamp, explain);
}

/** What a request has signed, and its signature; what is missing is as wrong as what is empty. */
export function readSigned({ method, target, headers }: RequestHead, body: Uint8Array) {
  const request: SignableRequest & { readonly keyId: string } = {
    method,
    target,
    timestamp: readHeader(headers, timestampHeader) ?? '',
    contentType: readHeader(headers, 'content-type') ?? '',
    body,
    keyId: readHeader(headers, keyHeader) ?? '',
  };
  return { request, signature: readHeader(headers, nameOfSignature) ?? '' };
}
