/** `orgctl/signing`: the service's two authentication modes, for any client (reference, section 5). */
export { basicAuthorization, type Credential, parseBasicAuthorization } from './basic.js';
export { canonicalString, type SignableRequest } from './canonical-string.js';
export { equalInConstantTime, hmacSignature } from './hmac.js';
export { signatureHeader, signedHeaders } from './signed-headers.js';
export { defaultMaxSkew, parseTimestamp, timestampOf, withinSkew } from './timestamp.js';
export { verifySignature } from './verify.js';
