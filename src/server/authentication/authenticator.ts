import type { KeyCredential } from '../../storage/api-keys.js';
import type { ReceivedRequest } from './received-request.js';

/**
 * One way to authenticate a request. Answers the key when the request proves to know its secret, `undefined` when the
 * request does not use this way at all.
 * @throws HttpError when it uses it and is refused (reference, section 7).
 */
export type Authenticator = (request: ReceivedRequest) => Promise<KeyCredential | undefined>;

/** Looks up what a key is checked against; `undefined` when there is no such key. */
export type FindKey = (keyId: string) => Promise<KeyCredential | undefined>;

/** Checked in place of a secret that does not exist, so that an unknown key takes as long as a known one. */
export const noSecret = '0'.repeat(64);
