import type { IncomingHttpHeaders } from 'node:http';
import type { KeyCredential } from '../../storage/api-keys.js';
import type { ReceivedRequest } from './received-request.js';

/** One way to authenticate a request. */
export interface Authenticator {
  /** Whether a request uses this way at all. */
  claims(headers: IncomingHttpHeaders): boolean;
  /** What it claims. @throws HttpError when the credential is not in its form (reference, section 7). */
  read(request: ReceivedRequest): Claim;
}

/** That a request comes from whoever has a key. */
export interface Claim {
  readonly keyId: string;
  /**
   * The key, whose secret the request proves to know.
   * @param key what there is under the ID; `undefined` when there is no such key
   * @throws HttpError when it does not (reference, section 7).
   */
  verify(key: KeyCredential | undefined): KeyCredential;
}

/** Checked in place of a secret that does not exist, so that an unknown key takes as long as a known one. */
export const noSecret = '0'.repeat(64);
