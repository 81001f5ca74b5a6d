/** `orgctl/signing`: the service's two authentication modes, for any client. Importing it has no side effects. */

export type { AuthMode } from '../api/option-values.js';
export * from '../errors/library-errors.js';
export {
  basicAuthorization,
  type Credential,
  equalInConstantTime,
  parseBasicAuthorization,
} from './basic/basic.js';
export {
  canonicalString,
  hmacSignature,
  type SignableRequest,
  signatureHeader,
  signedHeaders,
  verifySignature,
} from './hmac/signature.js';
export { defaultMaxSkew, parseTimestamp, timestampOf, withinSkew } from './hmac/timestamp.js';
export {
  explainMismatch,
  knownMistakes,
  type Mismatch,
  type MismatchExplanation,
  type SignedDifference,
} from './mistakes/explain-mismatch.js';
export type { ExplainableRequest, NamedMistake } from './mistakes/mistake.js';
export { visibleCanonical } from './mistakes/visible-canonical.js';
export type { CredentialCheck, VerifiableKey } from './scheme.js';
export {
  type AcceptedRequest,
  type ReceivedRequest,
  type RefusedRequest,
  type Verification,
  type VerifyOptions,
  verifyRequest,
} from './verify-request.js';
