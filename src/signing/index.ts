/**
 * `orgctl/signing`: the service's two authentication modes, for any client (reference, section 5). Importing it has no
 * side effects.
 */

export * from '../contract/library-errors.js';
export type { AuthMode } from '../contract/option-values.js';
export { basicAuthorization, type Credential, parseBasicAuthorization } from './basic.js';
export { canonicalString, type SignableRequest } from './canonical-string.js';
export {
  explainMismatch,
  type FoundMistake,
  findMistake,
  knownMistakes,
  type Mismatch,
  type MismatchExplanation,
} from './explain-mismatch.js';
export {
  equalInConstantTime,
  hmacSignature,
  signatureHeader,
  signedHeaders,
  verifySignature,
} from './signature.js';
export type { SignedDifference } from './signed-instead.js';
export type { ExplainableRequest, NamedMistake } from './signing-attempt.js';
export { defaultMaxSkew, parseTimestamp, timestampOf, withinSkew } from './timestamp.js';
export {
  type AcceptedRequest,
  type ReceivedRequest,
  type RefusedRequest,
  type VerifiableKey,
  type Verification,
  type VerifyOptions,
  verifyRequest,
} from './verify-request.js';
export { visibleCanonical } from './visible-canonical.js';
