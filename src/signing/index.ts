/** `orgctl/signing`: the service's two authentication modes, for any client (reference, section 5). */
export { basicAuthorization, type Credential, parseBasicAuthorization } from './basic.js';
export { canonicalString, type SignableRequest } from './canonical-string.js';
export { explainMismatch, type MismatchExplanation } from './explain-mismatch.js';
export { equalInConstantTime, hmacSignature } from './hmac.js';
export { type FoundMistake, findMistake, knownMistakes, type Mismatch } from './mistakes.js';
export { signatureHeader, signedHeaders } from './signed-headers.js';
export type { ReceivedRequest } from './signing-attempt.js';
export { defaultMaxSkew, parseTimestamp, timestampOf, withinSkew } from './timestamp.js';
export { verifySignature } from './verify.js';
export { visibleCanonical } from './visible-canonical.js';
